// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem

/// What this process holds of its program's and its libraries' files.
package enum CodeMemory {
    /// What a start needs, and little of which is needed again, goes back to the system: half of what a daemon has in
    /// memory by then. Costs what is used again a fault for every 64 KiB, which finds them in the system's cache.
    package static func letGo() { chandoff_let_go_of_code() }
}
