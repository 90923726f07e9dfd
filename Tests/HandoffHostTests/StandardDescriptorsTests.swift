// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import TestPrograms
import Testing

/// The standard pipes of a started program.
@Suite struct StandardDescriptorsTests {
    // A parent that reads its pipe without blocking, as event loops do, shares that setting with its child.
    @Test func aFullNonBlockingPipeIsWaitedFor() async throws {
        let pipe = Pipe()
        let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
        _ = fcntl(writing.fileDescriptor, F_SETFL, O_NONBLOCK)
        let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
        async let read = withCheckedContinuation { continuation in
            DetachedThread.start { continuation.resume(returning: reading.readDataToEndOfFile()) }
        }
        let code = await withCheckedContinuation { continuation in
            DetachedThread.start {
                let code = bytes.withUnsafeBytes { StandardDescriptors.write($0, to: writing.fileDescriptor) }
                try? writing.close()
                continuation.resume(returning: code)
            }
        }
        #expect(code == 0)
        #expect(await read == bytes)
    }
}
