// SPDX-License-Identifier: Apache-2.0

import CHandoffSystem
import HandoffCore

package enum CodeMemory {
    /// Releases code pages that only the start needed: half of the daemon's memory. Later use costs a page fault per 64
    /// KiB.
    package static func letGo() { chandoff_let_go_of_code() }
}

package final class HeapMemory: ProcessMemory {
    package init() {}

    func giveBack() { _ = malloc_trim(0) }
}
