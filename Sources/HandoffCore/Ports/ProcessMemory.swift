// SPDX-License-Identifier: Apache-2.0

/// This process's memory.
package protocol ProcessMemory: AnyObject {
    /// What is free goes back to the system. Takes some milliseconds at most, after a load.
    func giveBack()
}
