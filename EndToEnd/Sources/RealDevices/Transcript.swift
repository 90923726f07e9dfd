// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The lines that a process has written, in order, and a way to wait for one that is still to come.
///
/// Waiting blocks the thread: what uses this is a test or a demo, which has nothing else to do.
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

    /// The next line with this property, in the order written: each line is looked at once, so that two waits for the
    /// same text see two lines.
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

    /// Waits until this holds of all lines so far, heard or not.
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

    /// Waits until nothing more can come.
    package func waitForEnd(within bound: Duration) throws {
        try condition.withLock {
            guard condition.wait(within: bound, until: { isClosed }) else {
                throw Unmet("waited \(bound) for its end")
            }
        }
    }

    /// Reads to the end, on a thread of its own.
    func follow(_ handle: FileHandle) {
        let thread = Thread { [self] in
            while case let bytes = handle.availableData, !bytes.isEmpty { received(bytes) }
            // `Process` would hold it open for good.
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

    /// Nothing more comes.
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
    /// Waits until this holds; whoever calls has it locked. False: the time was over.
    func wait(within bound: Duration, until isMet: () -> Bool) -> Bool {
        let deadline = Date(timeIntervalSinceNow: bound / .seconds(1))
        while !isMet() {
            guard wait(until: deadline) else { return false }
        }
        return true
    }
}
