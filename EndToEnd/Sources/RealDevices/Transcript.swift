// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The lines that a process has written, in order, and a way to wait for a later line.
///
/// Waiting blocks the thread, which is acceptable in a test or demo.
package final class Transcript: @unchecked Sendable {
    // Guards everything below.
    private let condition = NSCondition()
    private var storage: [String] = []
    private var partial = Data()
    private var isClosed = false
    private var next = 0

    package init() {}

    package var lines: [String] { condition.withLock { storage } }
    package var text: String { lines.joined(separator: "\n") }

    /// Returns the next matching line, in the order written. Each line is examined once, so that two waits for the same
    /// text find two lines.
    @discardableResult
    package func next(
        _ wanted: String, within bound: Duration = .seconds(10), where isWanted: (String) -> Bool
    ) throws -> String {
        try condition.withLock {
            let deadline = Date(timeIntervalSinceNow: bound / .seconds(1))
            while true {
                while next < storage.count {
                    defer { next += 1 }
                    if isWanted(storage[next]) { return storage[next] }
                }
                if isClosed { throw Unmet("it ended before it said \(wanted)") }
                guard condition.wait(until: deadline) else { throw Unmet("waited \(bound) for \(wanted)") }
            }
        }
    }

    @discardableResult
    package func next(starting prefix: String, within bound: Duration = .seconds(10)) throws -> String {
        try next("\"\(prefix)\"", within: bound) { $0.hasPrefix(prefix) }
    }

    /// Waits until all lines so far, including those already read, satisfy this.
    package func wait(
        for wanted: String, within bound: Duration = .seconds(10), until isMet: ([String]) -> Bool
    ) throws {
        try condition.withLock {
            guard condition.wait(within: bound, until: { isMet(storage) || isClosed }) else {
                throw Unmet("waited \(bound) for \(wanted)")
            }
            guard isMet(storage) else { throw Unmet("it ended without \(wanted)") }
        }
    }

    /// Waits until the output is closed.
    package func waitForEnd(within bound: Duration) throws {
        try condition.withLock {
            guard condition.wait(within: bound, until: { isClosed }) else {
                throw Unmet("waited \(bound) for its end")
            }
        }
    }

    /// Reads to the end, on its own thread.
    func follow(_ handle: FileHandle) {
        let thread = Thread { [self] in
            while case let bytes = handle.availableData, !bytes.isEmpty { received(bytes) }
            // `Process` would never close it.
            try? handle.close()
            closed()
        }
        thread.start()
    }

    private func received(_ bytes: Data) {
        condition.withLock {
            partial.append(bytes)
            while let end = partial.firstIndex(of: UInt8(ascii: "\n")) {
                storage.append(String(decoding: partial[partial.startIndex..<end], as: UTF8.self))
                partial = Data(partial[partial.index(after: end)...])
            }
            condition.broadcast()
        }
    }

    func closed() {
        condition.withLock {
            if !partial.isEmpty { storage.append(String(decoding: partial, as: UTF8.self)) }
            partial = Data()
            isClosed = true
            condition.broadcast()
        }
    }
}

extension NSCondition {
    /// Waits until the condition holds; the caller holds the lock. Returns false at the time limit.
    func wait(within bound: Duration, until isMet: () -> Bool) -> Bool {
        let deadline = Date(timeIntervalSinceNow: bound / .seconds(1))
        while !isMet() {
            guard wait(until: deadline) else { return false }
        }
        return true
    }
}
