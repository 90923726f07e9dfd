// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What this device knows of the documents that went along, a small file each. In-memory twin: `MemoryDocumentHistories`
/// in `HandoffTesting`. Called in jobs of `Work`, as `DocumentFiles` is.
///
/// A history that cannot be read is none: then a document that was changed on one side alone may be taken for one that was
/// changed on both, and is kept as a copy. Errors are `.stateNotWritable`.
package protocol DocumentHistories: AnyObject, Sendable {
    func history(of container: ContainerID, at path: DocumentPath) throws(Failure) -> DocumentHistory?
    /// On disk when it returns. Beyond `DocumentLimits.histories` the one looked at longest ago goes.
    func keep(_ history: DocumentHistory) throws(Failure)
}
