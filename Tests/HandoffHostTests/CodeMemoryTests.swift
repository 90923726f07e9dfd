// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffHost
import Testing

/// Shows V07: what a start read of the program's file is not held for good.
@Suite struct CodeMemoryTests {
    private static let megabyte = 1 << 20

    @Test func whatWasReadOfTheProgramIsLetGo() throws {
        let before = try ResidentMemory.ofFiles()
        CodeMemory.letGo()
        // A test's program holds tens of MiB; what other tests do meanwhile reads some of it again.
        #expect(try ResidentMemory.ofFiles() < before - 4 * Self.megabyte)
    }
}
