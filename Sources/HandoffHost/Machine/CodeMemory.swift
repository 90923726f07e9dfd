// SPDX-License-Identifier: Apache-2.0

import CHandoffSystem
import HandoffCore

package enum CodeMemory {
    /// Returns mapped pages of code that only the start needed: half of the daemon's memory. Their use later costs a
    /// page fault for every 64 KiB, from the system's cache.
    package static func letGo() { chandoff_let_go_of_code() }
}

package final class HeapMemory: ProcessMemory {
    package init() {}

    /// Returns free whole pages anywhere in the C library's heap.
    func giveBack() { _ = malloc_trim(0) }
}
