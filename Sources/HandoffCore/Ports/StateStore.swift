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
    /// No error if there is none.
    func remove(_ name: String) throws(Failure)
}
