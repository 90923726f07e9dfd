// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Files that apps of this device have open and give to the daemon. In-memory twin: `MemoryFileIntake` in
/// `HandoffTesting`.
///
/// What an app says and the file itself come on two ways, so either may be first. A file that nobody expects goes by
/// itself, and so does one of a process that gives very many: then it is not there any more for who would read it, which
/// is told as `.documentGone` by `DocumentFiles`.
package protocol FileIntake: AnyObject {
    /// `then` is called once, on the loop: with true once that process has given that file, at once where it has already;
    /// with false after `within`. What it was true for is held until it is forgotten. A token is expected once at a time: a
    /// second time it is answered with false.
    func expect(
        _ token: FileToken, of processID: Int32, within: Duration, then: @escaping (Bool) -> Void)
    /// Nobody reads it any more, or waits for it: `then` is not called any more.
    func forget(_ token: FileToken)
    /// That process has ended, and nobody reads what it gave any more.
    func forgetAll(of processID: Int32)
}
