// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Small files that survive a crash. In-memory twin: `MemoryStateStore` in `HandoffTesting`.
///
/// Errors are `.stateNotWritable` for a full disk, a read-only folder, a wrong mode or owner; the reason
/// names the file and the cause.
package protocol StateStore: AnyObject {
    /// The whole file, or nil where there is none. `name` is a plain file name of ours: letters, digits, dots, dashes.
    func read(_ name: String) throws(Failure) -> [UInt8]?
    /// All or nothing, on disk when it returns: written beside, synced, renamed, folder synced. Mode 0600.
    func write(_ bytes: [UInt8], to name: String) throws(Failure)
    /// The same a little later, beside the loop, for what nothing has to wait for: a crash may lose it, and until then the
    /// file is what it was. Of several for one name the last call counts, of whichever kind. Where it cannot be written,
    /// `failed` is called on the loop, perhaps before this returns, of one of several that came to one; with `.limitReached`
    /// where too much waits already.
    func writeLater(_ bytes: [UInt8], to name: String, failed: @escaping (Failure) -> Void)
    /// The same for what somebody waits for: `then` is called on the loop once it is on disk, with nil, or with why it is not;
    /// perhaps before this returns. For a name that is written once: of what another write or a removal overtook it says nil.
    func write(_ bytes: [UInt8], to name: String, then: @escaping (Failure?) -> Void)
    /// All that was to be written later is on disk when it returns, but for what could not be: the first failure is thrown.
    func finishWriting() throws(Failure)
    /// No error if there is none.
    func remove(_ name: String) throws(Failure)
    /// Of all files, sorted.
    func names() throws(Failure) -> [String]
}
