// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffWire

/// Files in memory. Outlives a device that crashes in the town; can be told to refuse.
package final class MemoryStateStore: StateStore {
    package var files: [String: [UInt8]] = [:]
    /// Set: every write fails with it.
    package var writeFailure: Failure?

    package init() {}

    package func read(_ name: String) throws(Failure) -> [UInt8]? { files[name] }

    package func write(_ bytes: [UInt8], to name: String) throws(Failure) {
        if let writeFailure { throw writeFailure }
        files[name] = bytes
    }

    package func remove(_ name: String) throws(Failure) {
        if let writeFailure { throw writeFailure }
        files[name] = nil
    }
}
