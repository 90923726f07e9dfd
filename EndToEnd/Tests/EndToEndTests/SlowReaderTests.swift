// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A program that reads a stream slower than it could arrive.
@Suite(.serialized, .needsNamespaces) struct SlowReaderTests {
    /// Bytes that may wait in the kernels of both devices and in both programs.
    private static let waiting = 32 << 20
    /// Bytes of one read, between two blocks of the writer.
    private static let sip = 1 << 20

    // Shows C03, C06.
    @Test func aSlowReaderHoldsTheWriterBackAndHasEveryByte() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            let (input, output) = (Pipe(), Pipe())
            let sender = try pair.laptop.stream(
                "-", as: "Noise", to: pair.desktop, ends: .init(input: input.fileHandleForReading))
            try input.fileHandleForReading.close()
            let receiver = try pair.desktop.start(
                "activity", "continue", "--stream-to", "-", ends: .init(output: output.fileHandleForWriting))
            try output.fileHandleForWriting.close()
            try sender.output.next(starting: "streaming")

            let daemons = try [pair.laptop, pair.desktop].map { try #require($0.daemon) }
            // Not all resident memory, because code that runs for the first time becomes resident too.
            let before = try daemons.map { try $0.vitals().anonymous }
            var most = before
            let noise = Noise(seed: .random(in: 0...UInt64.max))
            var writer = Writer(noise, to: input.fileHandleForWriting)
            var reader = Reader(noise, from: output.fileHandleForReading)
            // The writer fills all buffers while no one reads, then continues after each read.
            try writer.writeUntilHeldBack(patience: .milliseconds(500), atMost: Self.waiting)
            let total = writer.count + (64 << 20)
            while writer.count < total {
                try reader.read(Self.sip)
                let limit = min(total, reader.count + Self.waiting)
                try writer.writeUntilHeldBack(patience: .milliseconds(2), atMost: limit)
                try #require(writer.count < limit || limit == total, "the writer is not held back, seed \(noise.seed)")
                most = try zip(most, daemons).map { max($0, try $1.vitals().anonymous) }
            }
            try input.fileHandleForWriting.close()
            try reader.readToEnd()
            #expect(reader.count == total)
            for (before, most) in zip(before, most) { #expect(most - before < 8 * 1024, "KiB: \(before), \(most)") }
            #expect(try receiver.waitForExit() == 0)
            #expect(try sender.waitForExit() == 0)
        }
    }
}

/// An endless sequence of bytes whose parts can be checked separately.
private struct Noise {
    /// A prime, so that lost or duplicated blocks of a power of two are detected.
    private static let length = 1_048_573
    let seed: UInt64
    private let block: [UInt8]

    init(seed: UInt64) {
        self.seed = seed
        var state = seed
        var block: [UInt8] = []
        while block.count < Self.length {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            withUnsafeBytes(of: word ^ (word >> 31)) { block += $0 }
        }
        self.block = Array(block.prefix(Self.length))
    }

    /// At least one byte, if `count` is.
    func piece(at offset: Int, upTo count: Int) -> ArraySlice<UInt8> {
        let start = offset % Self.length
        return block[start..<min(start + count, Self.length)]
    }
}

private struct Writer {
    let noise: Noise
    let pipe: FileHandle
    private(set) var count = 0

    init(_ noise: Noise, to pipe: FileHandle) {
        (self.noise, self.pipe) = (noise, pipe)
        // So that writing without a reader is an error instead of the end of all tests.
        signal(SIGPIPE, SIG_IGN)
        let flags = fcntl(pipe.fileDescriptor, F_GETFL)
        _ = fcntl(pipe.fileDescriptor, F_SETFL, flags | O_NONBLOCK)
    }

    /// Returns once no bytes were accepted for that time, or after `limit` bytes in all.
    mutating func writeUntilHeldBack(patience: Duration, atMost limit: Int) throws {
        while count < limit {
            var state = pollfd(fd: pipe.fileDescriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&state, 1, CInt(patience / .milliseconds(1))) > 0 else { return }
            let piece = noise.piece(at: count, upTo: min(65_536, limit - count))
            let written = piece.withUnsafeBytes { write(pipe.fileDescriptor, $0.baseAddress, $0.count) }
            guard written >= 0 || errno == EAGAIN else { throw Unmet("nobody takes the bytes any more") }
            count += max(0, written)
        }
    }
}

private struct Reader {
    let noise: Noise
    let pipe: FileHandle
    private(set) var count = 0

    init(_ noise: Noise, from pipe: FileHandle) { (self.noise, self.pipe) = (noise, pipe) }

    mutating func read(_ more: Int) throws {
        let goal = count + more
        while count < goal {
            guard try readSome(goal - count) else { throw Unmet("the bytes ended after \(count)") }
        }
    }

    mutating func readToEnd() throws {
        while try readSome(65_536) {}
    }

    /// Returns false at the end.
    private mutating func readSome(_ most: Int) throws -> Bool {
        var state = pollfd(fd: pipe.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, 10_000) > 0 else { throw Unmet("nothing came after \(count) bytes") }
        var buffer = [UInt8](repeating: 0, count: min(most, 65_536))
        let got = Foundation.read(pipe.fileDescriptor, &buffer, buffer.count)
        guard got >= 0 else { throw Unmet("the pipe cannot be read") }
        var rest = buffer[..<got]
        while !rest.isEmpty {
            let expected = noise.piece(at: count, upTo: rest.count)
            let isSame = expected.withUnsafeBytes { one in
                rest.withUnsafeBytes { memcmp(one.baseAddress!, $0.baseAddress!, one.count) == 0 }
            }
            guard isSame else {
                throw Unmet("another byte than was sent after \(count), seed \(noise.seed)")
            }
            count += expected.count
            rest = rest.dropFirst(expected.count)
        }
        return got > 0
    }
}
