// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore

package final class CountingMemory: ProcessMemory {
    package private(set) var returns = 0

    init() {}

    package func giveBack() { returns += 1 }
}
