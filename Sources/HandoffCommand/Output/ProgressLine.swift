// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// On standard error. Not for short operations and scripts.
struct ProgressLine {
    private static let patience = Duration.milliseconds(400)
    static let pause = Duration.milliseconds(100)

    let isWanted: Bool
    private let verb: String
    private var meter: TransferMeter
    private var next: ContinuousClock.Instant
    private var isShown = false

    /// `isWanted` false: the result itself is on the terminal.
    init(_ verb: String, _ output: Output, isWanted: Bool = true) {
        self.verb = verb
        self.isWanted = isWanted && !output.json && isatty(STDERR_FILENO) == 1
        let now = ContinuousClock.now
        meter = TransferMeter(at: now)
        next = now + Self.patience
    }

    /// Bytes.
    mutating func reached(_ done: Int64, of total: Int64? = nil) {
        guard let columns = begin() else { return }
        let now = ContinuousClock.now
        meter.reached(done, at: now)
        Output.redraw(meter.line(verb, of: total, at: now, columns: columns))
    }

    mutating func show(_ line: (Int) -> String) {
        guard let columns = begin() else { return }
        Output.redraw(line(columns))
    }

    /// Nil: draw nothing.
    private mutating func begin() -> Int? {
        let now = ContinuousClock.now
        guard isWanted, now >= next else { return nil }
        next = now + Self.pause
        isShown = true
        // Some terminals wrap after the last column.
        return (Terminal(descriptor: STDERR_FILENO).columns ?? 80) - 1
    }

    mutating func clear() {
        guard isShown else { return }
        isShown = false
        Output.redraw("")
    }
}
