// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// Time is an argument, for tests.
struct TransferMeter {
    /// The rate is measured over this time.
    private static let window = Duration.seconds(5)
    private static let spacing = Duration.milliseconds(200)
    private static let bar = 10...40

    private var marks: [(time: ContinuousClock.Instant, done: Int64)]
    private(set) var done: Int64 = 0

    init(at now: ContinuousClock.Instant) { marks = [(now, 0)] }

    mutating func reached(_ done: Int64, at now: ContinuousClock.Instant) {
        self.done = done
        guard marks[marks.count - 1].time.duration(to: now) >= Self.spacing else { return }
        marks.append((now, done))
        // Keeps one older sample, as the start.
        while marks.count > 2, marks[1].time.duration(to: now) >= Self.window { marks.removeFirst() }
    }

    /// Bytes a second; nil without enough data.
    func rate(at now: ContinuousClock.Instant) -> Double? {
        let time = marks[0].time.duration(to: now)
        guard time >= Self.spacing else { return nil }
        return Double(done - marks[0].done) / time.inSeconds
    }

    /// At most `columns` wide; omits what does not fit.
    func line(_ verb: String, of total: Int64?, at now: ContinuousClock.Instant, columns: Int) -> String {
        Self.line(verb, done, of: total, rate: rate(at: now), columns: columns)
    }

    /// `rate`: bytes a second.
    static func line(_ verb: String, _ done: Int64, of total: Int64?, rate: Double?, columns: Int) -> String {
        var parts = [verb, total.map { "\(done.inBytes) of \($0.inBytes)" } ?? done.inBytes]
        if let rate {
            parts.append(rate < 1 ? "stalled" : "\(Int64(rate).inBytes)/s")
            if let total, done < total, rate >= 1 {
                // Rounded up, not to be zero before the end, and limited to an integer's range.
                let left = min((Double(total - done) / rate).rounded(.up), 1e15)
                parts.append("\(Duration.seconds(Int64(left)).inWords) left")
            }
        }
        if let total, total > 0 {
            let room = columns - parts.reduce(0) { $0 + $1.width + 2 } - "[] 100 %".count
            if room >= bar.lowerBound {
                parts.insert(bar(done, of: total, width: min(room, bar.upperBound)), at: 1)
            }
        }
        while parts.count > 1, parts.joined(separator: "  ").width > columns { parts.removeLast() }
        return parts.joined(separator: "  ").fitted(to: max(0, columns))
    }

    private static func bar(_ done: Int64, of total: Int64, width: Int) -> String {
        let share = min(1, max(0, Double(done) / Double(total)))
        let filled = Int(share * Double(width))
        let percent = String(Int(share * 100))
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled) + "] "
            + String(repeating: " ", count: 3 - percent.count) + percent + " %"
    }
}

extension Duration {
    var inSeconds: Double { milliseconds / 1000 }
}
