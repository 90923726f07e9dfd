// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One thread adds, another reads.
package final class ByteCounter: Sendable {
    private let count = Atomic<Int64>(0)

    package init() {}

    package var value: Int64 { count.load(ordering: .relaxed) }
    package func add(_ more: Int) { count.wrappingAdd(Int64(more), ordering: .relaxed) }
}
