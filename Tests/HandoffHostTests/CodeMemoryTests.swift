// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HandoffHost

/// Shows V07: memory of the program's file that the start needed is released.
@Suite struct CodeMemoryTests {
    private static let megabyte = 1 << 20

    @Test func releasingProgramCodeFreesMemory() throws {
        let before = try ResidentMemory.ofFiles()
        CodeMemory.letGo()
        // A test process holds tens of MiB, of which other tests read some again.
        #expect(try ResidentMemory.ofFiles() < before - 4 * Self.megabyte)
    }
}
