// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import HandoffCore

/// The heap of the C library.
package final class HeapMemory: ProcessMemory {
    package init() {}

    /// Returns free whole pages anywhere in the heap.
    func giveBack() { _ = malloc_trim(0) }
}
