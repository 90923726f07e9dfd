// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Events per device, with the milliseconds since the start.
package struct Timeline {
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant

    package init() { start = clock.now }

    package var now: ContinuousClock.Instant { clock.now }

    package func note(_ place: String, _ text: String) {
        let elapsed = Int((clock.now - start) / .milliseconds(1))
        say(Self.column("\(elapsed)", 6, right: true) + " ms  " + Self.column(place, 11) + text)
    }

    package func heading(_ text: String) { say("\n" + text) }

    /// Under the last note.
    package func detail(_ text: some StringProtocol) { say(Self.column("", 22) + text) }

    /// Unbuffered, even if the output is a pipe.
    package func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    private static func column(_ text: String, _ width: Int, right: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, width - text.count))
        return right ? padding + text : text + padding
    }
}
