// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffHost
import Testing

/// Shows V04: what is free goes back to the system, also what lies below something that lives on.
@Suite struct HeapMemoryTests {
    private static let megabyte = 1 << 20

    /// A sanitizer brings a heap of its own, which keeps what is freed to watch it.
    private static var hasHeapOfItsOwn: Bool {
        ["__tsan_init", "__asan_init"].contains { (name: String) in dlsym(nil, name) != nil }
    }

    @Test(.disabled(if: Self.hasHeapOfItsOwn, "this is a sanitizer's heap")) func whatIsFreeBelowWhatIsUsedGoesBack()
        throws
    {
        // Each too small to be mapped by itself.
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
        // 62 MiB, beside what other tests do meanwhile.
        #expect(try ResidentMemory.written() < before - 20 * Self.megabyte)
    }
}
