// SPDX-License-Identifier: Apache-2.0

import HandoffCore

@testable import HandoffDaemon

final class StreamResident: DaemonStreamUser {
    let end: DaemonStreamEnd
    private let total: Int
    private let pattern: Pattern
    private let expected: Pattern
    private let tell: (StreamFixture.Event) -> Void
    private(set) var sent = 0
    private(set) var taken = 0
    private var isRight = true
    private var isOver = false
    var isTaking = true { didSet { take() } }

    init(
        _ end: DaemonStreamEnd, sends total: Int, of pattern: Pattern, takes expected: Pattern,
        tell: @escaping (StreamFixture.Event) -> Void
    ) {
        self.end = end
        self.total = total
        self.pattern = pattern
        self.expected = expected
        self.tell = tell
        end.user = self
    }

    func streamHasRoom(_ end: DaemonStreamEnd) {
        while sent < total {
            let piece = Array(pattern.piece(at: sent, upTo: min(total - sent, 100_000)))
            let count = end.send(piece)
            sent += count
            if count < piece.count { return }
        }
        end.finish()
    }

    func streamHasBytes(_ end: DaemonStreamEnd) { take() }

    private func take() {
        guard isTaking, !isOver else { return }
        while end.untaken > 0 {
            let bytes = end.take(50_000)
            isRight = isRight && expected.matches(bytes[...], at: taken)
            taken += bytes.count
        }
        guard end.isAtEnd, isRight else { return }
        isOver = true
        tell(.arrived(taken))
    }

    func streamClosed(_ end: DaemonStreamEnd, inOrder: Bool) { tell(.ended(inOrder: inOrder)) }
}
