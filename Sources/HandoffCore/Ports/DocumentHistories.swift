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

/// Files that apps on this device have open and pass to the daemon. In-memory implementation: `MemoryFileIntake` in
/// `HandoffTesting`.
///
/// An app's message and the file itself travel separately, so either may arrive first. Unexpected files are dropped
/// after a time, as are those of a process that passes very many. For their reader, `DocumentFiles` then fails with
/// `.documentGone`.
package protocol FileIntake: AnyObject {
    /// `then` is called once, on the loop: with true once that process has passed the file, immediately if it already
    /// has; with false after `within`. After true, the file is held until it is forgotten. Only one caller can expect a
    /// token at a time; further calls are answered with false.
    func expect(
        _ token: FileToken, of processID: Int32, within: Duration, then: @escaping (Bool) -> Void)
    /// Releases the file and cancels the wait: `then` is no longer called.
    func forget(_ token: FileToken)
    /// That process has ended, and its files are no longer needed.
    func forgetAll(of processID: Int32)
}
