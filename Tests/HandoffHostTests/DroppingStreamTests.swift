// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import Testing

/// docker/sbx-releases#374: a daemon stopped because nothing read its standard error.
@Suite struct DroppingStreamTests {
    @Test func linesThatNothingReadsAreCountedAndDropped() throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let stream = DroppingStream(ends[1])
        let line = String(repeating: "x", count: 1023) + "\n"
        for _ in 0..<100 { stream.write(line) }
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        let written = read(ends[0], &buffer, buffer.count)
        #expect(written <= 65536 && written > 0 && written % 1024 == 0)
        stream.write("again\n")
        let after = read(ends[0], &buffer, buffer.count)
        #expect(
            String(decoding: buffer[..<max(0, after)], as: UTF8.self)
                == "\(100 - written / 1024) lines were not written, because nothing read them\nagain\n")
    }

    @Test func aLongLineIsWrittenWhole() throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let line = String(repeating: "y", count: 20_000) + "\n"
        DroppingStream(ends[1]).write(line)
        var buffer = [UInt8](repeating: 0, count: 65536)
        #expect(read(ends[0], &buffer, buffer.count) == line.utf8.count)
    }
}
