// SPDX-License-Identifier: Apache-2.0

/// This process's memory. In-memory implementation: `CountingMemory` in `HandoffTesting`.
package protocol ProcessMemory: AnyObject {
    /// Returns free memory to the system. Takes a few milliseconds at most, after a load.
    func giveBack()
}
