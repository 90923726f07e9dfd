// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// This device's histories of documents that were sent with activities. Called in jobs of `Work`, like `DocumentFiles`.
/// In-memory implementation: `MemoryDocumentHistories` in `HandoffTesting`.
///
/// An unreadable history is treated as missing. A document that changed on one side may then appear changed on both,
/// and be kept as a copy. Errors are `.stateNotWritable`.
package protocol DocumentHistories: AnyObject, Sendable {
    func history(of container: ContainerID, at path: DocumentPath) throws(Failure) -> DocumentHistory?
    /// On disk when it returns. Beyond `DocumentLimits.histories`, the one examined longest ago is removed.
    func keep(_ history: DocumentHistory) throws(Failure)
}
