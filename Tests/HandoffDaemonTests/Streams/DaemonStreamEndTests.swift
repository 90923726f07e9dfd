// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// An in-memory stream between an app and the daemon itself.
@Suite struct DaemonStreamEndTests {
    private let time = VirtualTime()
    private let house: KeepingDaemon
    private let app: TestStream

    /// The app's link is joined with the daemon's end once it is attached.
    init() {
        let listener = MemoryClientListener(time: time)
        house = KeepingDaemon(time)
        listener.handler = house
        try? listener.start()
        listener.accept()
        app = listener.attach(StreamToken(uncheckedBytes: Array(repeating: 1, count: 32)), processID: 1)
        house.listener = listener
    }

    @Test func bytesAreExactBothWays() {
        house.sends = StreamPair.bytes(1_000_000, seed: 1)
        let bytes = StreamPair.bytes(700_001, seed: 2)
        app.send(bytes)
        app.shut()
        #expect(time.run(until: { house.isOver == true }, within: .seconds(5)))
        time.advance(by: .seconds(1))
        let isWhole = app.received == house.sends && app.hasEnded && house.taken == bytes && house.end.isAtEnd
        #expect(isWhole)
        #expect(house.closed == [nil, nil] && house.budget.streams == 0 && house.budget.held == 0)
    }

    @Test func unreadStreamAppliesBackpressure() {
        house.isTaking = false
        app.send(StreamPair.bytes(1_000_000))
        time.advance(by: .seconds(1))
        #expect(house.end.untaken > 0 && house.end.untaken <= StreamBudget.largestPiece)
        #expect(house.budget.held == house.end.untaken && app.unsent > 700_000)
        house.isTaking = true
        app.shut()
        #expect(time.run(until: { house.end.isAtEnd }, within: .seconds(5)))
        #expect(house.taken.count == 1_000_000)
    }

    @Test func anAppThatDoesNotReadHoldsTheDaemonBack() {
        app.isReading = false
        house.sends = StreamPair.bytes(1_000_000)
        time.advance(by: .seconds(1))
        #expect(house.sent > 0 && house.sent < 300_000)
        app.isReading = true
        #expect(time.run(until: { app.hasEnded }, within: .seconds(5)))
        #expect(app.received.count == 1_000_000)
    }

    // Shows C05.
    @Test func anAppThatLetsGoIsACut() {
        house.sends = StreamPair.bytes(1_000_000)
        #expect(time.run(until: { app.received.count > 100_000 }, within: .seconds(1)))
        app.close()
        #expect(time.run(until: { house.isOver != nil }, within: .seconds(1)))
        #expect(house.isOver == false && !house.end.isAtEnd && house.closed.count == 2)
        #expect(house.end.send([1]) == 0 && house.budget.streams == 0 && house.budget.held == 0)
    }

    @Test func aCutByTheDaemonIsHeardByTheApp() {
        house.sends = StreamPair.bytes(1_000_000)
        #expect(time.run(until: { app.received.count > 100_000 }, within: .seconds(1)))
        house.end.cut(Failure(.cancelled, "not wanted any more"))
        #expect(time.run(until: { app.isCut }, within: .seconds(1)))
        #expect(!app.hasEnded && house.isOver == false)
    }
}

/// Joins a link that attaches with its own end, and confirms every end.
private final class KeepingDaemon: ClientListenerHandler, StreamLinkObserver, DaemonStreamUser {
    let end: DaemonStreamEnd
    let budget = StreamBudget()
    var listener: MemoryClientListener?
    var sends: [UInt8] = []
    var isTaking = true { didSet { take() } }
    private(set) var sent = 0
    private(set) var taken: [UInt8] = []
    private(set) var closed: [Failure?] = []
    /// Whether it ended in order; nil: not over.
    private(set) var isOver: Bool?
    private var link: (any StreamLink)?

    init(_ time: VirtualTime) {
        end = DaemonStreamEnd(time: time)
        end.user = self
        end.observer = self
    }

    func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink) {
        self.link = link
        link.observer = self
        link.join(end, within: budget)
    }

    func streamHasRoom(_ end: DaemonStreamEnd) {
        sent += end.send(Array(sends[sent...]))
        if sent == sends.count, !sends.isEmpty { end.finish() }
    }
    func streamHasBytes(_ end: DaemonStreamEnd) { take() }
    func streamClosed(_ end: DaemonStreamEnd, inOrder: Bool) { isOver = inOrder }

    private func take() {
        while isTaking, end.untaken > 0 { taken += end.take(10_000) }
    }

    func streamBytesEnded(on link: any StreamLink, after byteCount: UInt64) { link.confirmEnd() }
    func streamLinkClosed(_ link: any StreamLink, failure: Failure?) { closed.append(failure) }

    func clientAccepted(_ link: any ClientLink) {}
    func frameReceived(_ frame: LocalFrame, on link: any ClientLink) {}
    func clientClosed(_ link: any ClientLink, failure: Failure?) {}
}
