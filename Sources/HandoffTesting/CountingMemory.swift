// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore

/// A process's memory that only counts how often what is free was to go back to the system.
package final class CountingMemory: ProcessMemory {
    package private(set) var returns = 0

    package init() {}

    package func giveBack() { returns += 1 }
}
