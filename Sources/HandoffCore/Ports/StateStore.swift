// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Small files that survive a crash. In-memory implementation: `MemoryStateStore` in `HandoffTesting`.
///
/// Errors are `.stateNotWritable` for a full disk, a read-only folder, or a wrong mode or owner. The reason names the
/// file and the cause.
package protocol StateStore: AnyObject {
    /// The whole file, or nil if it does not exist. `name` consists of letters, digits, dots and dashes.
    func read(_ name: String) throws(Failure) -> [UInt8]?
    /// Atomic, and on disk when it returns: written to a temporary file, synced, renamed, folder synced. Mode 0600.
    func write(_ bytes: [UInt8], to name: String) throws(Failure)
    /// The same a little later, off the loop, for data that no one waits for. A crash may lose it; until then, the file
    /// keeps its old content. Of several calls for one name, of any kind, the last one takes effect. On a failure,
    /// `failed` of one of the combined calls is called on the loop, perhaps before this returns; with `.limitReached`
    /// if too many jobs wait.
    func writeLater(_ bytes: [UInt8], to name: String, failed: @escaping (Failure) -> Void)
    /// The same for data that someone waits for. `then` is called on the loop with nil once the data is on disk, or
    /// with the failure; perhaps before this returns. For names that are written once: if another write or a removal
    /// supersedes this one, it receives nil.
    func write(_ bytes: [UInt8], to name: String, then: @escaping (Failure?) -> Void)
    /// Completes all delayed writes before it returns. Throws the first failure.
    func finishWriting() throws(Failure)
    /// A missing file is not an error.
    func remove(_ name: String) throws(Failure)
    func names() throws(Failure) -> [String]
}
