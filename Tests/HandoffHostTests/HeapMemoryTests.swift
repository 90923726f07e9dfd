// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HandoffHost

/// Shows V04: free memory is returned to the system, even below a live allocation.
@Suite struct HeapMemoryTests {
    private static let megabyte = 1 << 20

    /// A sanitizer has its own heap, which keeps freed memory to watch it.
    private static var hasHeapOfItsOwn: Bool {
        ["__tsan_init", "__asan_init"].contains { (name: String) in dlsym(nil, name) != nil }
    }

    @Test(.disabled(if: Self.hasHeapOfItsOwn, "this is a sanitizer's heap")) func freeMemoryBelowUsedMemoryIsReturned()
        throws
    {
        // Each is too small for its own mapping.
        let blocks = (0..<2_000).map { _ in
            let block = UnsafeMutableRawPointer.allocate(byteCount: 32 << 10, alignment: 16)
            block.initializeMemory(as: UInt8.self, repeating: 1, count: 32 << 10)
            return block
        }
        let last = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        defer { last.deallocate() }
        let before = try ResidentMemory.written()
        for block in blocks { block.deallocate() }
        HeapMemory().giveBack()
        // 62 MiB, minus allocations of other tests in the meantime.
        #expect(try ResidentMemory.written() < before - 20 * Self.megabyte)
    }
}
