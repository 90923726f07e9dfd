// SPDX-License-Identifier: Apache-2.0

import CTerminal
package import Foundation

/// A terminal for programs, and the content that its user sees.
///
/// Unchecked: the condition guards all mutable state.
package final class TerminalWindow: @unchecked Sendable {
    /// The terminal's end for a program's standard output, errors, or both.
    package let end: FileHandle
    private let master: CInt
    // Guards the rest.
    private let condition = NSCondition()
    private var shown: Screen
    private var isClosed = false

    package init(columns: Int) throws {
        var other: CInt = -1
        master = cterminal_open(&other)
        guard master >= 0 else { throw Unmet("there is no terminal: \(String(cString: strerror(-master)))") }
        end = FileHandle(fileDescriptor: other, closeOnDealloc: true)
        shown = Screen(columns: columns)
        try tell(columns)
        let thread = Thread { [self] in follow() }
        thread.start()
    }

    package var screen: Screen { condition.withLock { shown } }

    /// As if its user dragged its edge.
    package func resize(columns: Int) throws {
        try tell(columns)
        condition.withLock { shown.resize(columns: columns) }
    }

    /// Types the line and Return.
    package func type(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        guard write(master, bytes, bytes.count) == bytes.count else { throw Unmet("the terminal takes no input") }
    }

    private func tell(_ columns: Int) throws {
        guard cterminal_resize(master, CInt(columns)) == 0 else { throw Unmet("the terminal has no size") }
    }

    /// Waits until the screen satisfies this.
    @discardableResult
    package func wait(
        for wanted: String, within bound: Duration = .seconds(10), until isMet: (Screen) -> Bool
    ) throws -> Screen {
        try condition.withLock {
            let isInTime = condition.wait(within: bound) { isMet(shown) || isClosed }
            guard isInTime, isMet(shown) else {
                let rows = shown.rows.suffix(10).joined(separator: "\n")
                throw Unmet(
                    isInTime
                        ? "the terminal was closed without \(wanted):\n\(rows)"
                        : "waited \(bound) for \(wanted):\n\(rows)")
            }
            return shown
        }
    }

    /// All output of the programs, once they have ended.
    package func close() throws -> Screen {
        try? end.close()
        return try condition.withLock {
            guard condition.wait(within: .seconds(5), until: { isClosed }) else {
                throw Unmet("a program still has the terminal")
            }
            return shown
        }
    }

    /// Reads to the end, which is an error here: no program has the terminal open.
    private func follow() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(master, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            condition.lock()
            if count > 0 { shown.write(buffer[..<count]) } else { isClosed = true }
            condition.broadcast()
            condition.unlock()
            guard count > 0 else { break }
        }
        Foundation.close(master)
    }
}
