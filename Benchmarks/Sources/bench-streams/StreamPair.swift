// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The two streams at one end.
///
/// Unchecked: they are passed from the thread that received them to the one that uses them, and never shared.
struct StreamPair: @unchecked Sendable {
    let input: InputStream
    let output: OutputStream

    func open() {
        input.open()
        output.open()
    }

    func close() {
        output.close()
        input.close()
    }

    /// The request to the origin.
    func ask(for count: Int) -> Bool {
        withUnsafeBytes(of: UInt64(count).bigEndian) {
            output.write($0.bindMemory(to: UInt8.self).baseAddress!, maxLength: 8)
        }
            == 8
    }

    func question() -> Int? {
        var bytes = [UInt8](repeating: 0, count: 8)
        var done = 0
        while done < bytes.count {
            let some = bytes.withUnsafeMutableBufferPointer { input.read($0.baseAddress! + done, maxLength: 8 - done) }
            guard some > 0 else { return nil }
            done += some
        }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// False if it was cut.
    func write(zeros count: Int, from chunk: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        var left = count
        while left > 0 {
            let some = output.write(chunk.baseAddress!, maxLength: min(left, chunk.count))
            guard some > 0 else { return false }
            left -= some
        }
        return true
    }

    /// Counts all bytes until the end; nil if it was cut.
    func readAll(through chunk: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        var sum = 0
        while true {
            let some = input.read(chunk.baseAddress!, maxLength: chunk.count)
            guard some >= 0 else { return nil }
            if some == 0 { return sum }
            sum += some
        }
    }

    static func withChunk<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Result) -> Result {
        let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 * 1024)
        chunk.initialize(repeating: 0)
        defer { chunk.deallocate() }
        return body(chunk)
    }
}
