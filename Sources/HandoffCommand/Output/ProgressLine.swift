// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// How far a long work is, for the person who waits at a terminal: one line on standard error that is written over, and
/// gone at the end. Nothing for work that is soon done, and nothing for scripts.
struct ProgressLine {
    /// What takes less is not worth a line.
    private static let patience = Duration.milliseconds(400)
    private static let pause = Duration.milliseconds(100)

    private let verb: String
    private let isWanted: Bool
    private var next: ContinuousClock.Instant
    private var isShown = false

    init(_ verb: String, _ output: Output) {
        self.verb = verb
        isWanted = !output.json && isatty(STDERR_FILENO) == 1
        next = .now + Self.patience
    }

    /// Bytes.
    mutating func reached(_ done: Int64, of total: Int64? = nil) {
        guard isWanted, .now >= next else { return }
        next = .now + Self.pause
        isShown = true
        let whole = total.map { " of \(Self.megabytes($0))" } ?? ""
        Output.ask("\r\(verb) \(Self.megabytes(done))\(whole) MB\u{1B}[K")
    }

    mutating func clear() {
        guard isShown else { return }
        isShown = false
        Output.ask("\r\u{1B}[K")
    }

    private static func megabytes(_ bytes: Int64) -> Int64 { bytes / 1_000_000 }
}
