// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// For sent documents. Called in jobs of `Work`.
///
/// An unreadable history is treated as missing: a document that changed on one side may then be kept as a copy. Errors
/// are `.stateNotWritable`.
package protocol DocumentHistories: AnyObject, Sendable {
    func history(of container: ContainerID, at path: DocumentPath) throws(Failure) -> DocumentHistory?
    /// On disk when it returns. Beyond `DocumentLimits.histories`, removes the least recently examined.
    func keep(_ history: DocumentHistory) throws(Failure)
}

/// Open files from apps.
///
/// A message and its file may arrive in either order. Drops unexpected files after a time, or if a process passes very
/// many; `DocumentFiles` then fails with `.documentGone`.
package protocol FileIntake: AnyObject {
    /// Calls `then` once, on the loop: with true once that process has passed the file, which is then held until it is
    /// forgotten; with false after `within`, or if another caller expects the token.
    func expect(
        _ token: FileToken, of processID: Int32, within: Duration, then: @escaping (Bool) -> Void)
    /// Also cancels the wait without calling `then`.
    func forget(_ token: FileToken)
    func forgetAll(of processID: Int32)
}
