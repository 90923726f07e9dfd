// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffWire
import NIOCore
import Testing

@testable import HandoffNet

/// Shows C03: bytes from app to app, through two daemons and TLS.
@Suite(.timeLimit(.minutes(2))) struct StreamCarryingTests {
    private static let sizes = [0, 1, 16_384, 65_536, 300_001, 8 << 20, 64 << 20]

    /// A different size in each direction, simultaneously.
    @Test(arguments: zip(sizes, sizes.reversed())) func carriesEveryByteBothWaysAtOnce(_ there: Int, _ back: Int)
        async throws
    {
        let path = try await StreamPath.open()
        let seed = UInt64(there)
        let words = Pattern(seed &+ 1)
        let answers = Pattern(seed &+ 2)
        async let sent = path.nearApp.send(there, of: words, seed: seed)
        async let answered = path.farApp.send(back, of: answers, seed: seed &+ 7)
        async let got = path.farApp.receive(words)
        async let gotBack = path.nearApp.receive(answers)
        #expect(try await sent == nil)
        path.nearApp.endWriting()
        #expect(try await answered == nil)
        path.farApp.endWriting()
        #expect(try await got == (there, .end))
        #expect(try await gotBack == (back, .end))
        await path.expectClosedInOrder()
        path.stop()
    }

    @Test(arguments: [true, false]) func eachDirectionEndsIndependently(nearIsFirst: Bool) async throws {
        let path = try await StreamPath.open()
        let (first, second) = nearIsFirst ? (path.nearApp, path.farApp) : (path.farApp, path.nearApp)
        let (firstDesk, secondDesk) = nearIsFirst ? (path.near, path.far) : (path.far, path.near)
        let words = Pattern(3)
        #expect(try await first.send(100_000, of: words) == nil)
        first.endWriting()
        #expect(try await second.receive(words) == (100_000, .end))
        #expect(await firstDesk.next() == .bytesEnded(.app, 100_000))
        #expect(await secondDesk.next() == .bytesEnded(.device, 100_000))
        let answers = Pattern(4)
        async let got = first.receive(answers)
        #expect(try await second.send(3_000_000, of: answers) == nil)
        second.endWriting()
        #expect(try await got == (3_000_000, .end))
        #expect(await secondDesk.next() == .bytesEnded(.app, 3_000_000))
        #expect(await firstDesk.next() == .bytesEnded(.device, 3_000_000))
        await path.expectClosedInOrder()
        path.stop()
    }

    /// Reported to both sessions, whose pings these bytes may hold up.
    @Test func movedBytesAreReportedWithTheirDevice() async throws {
        let path = try await StreamPath.open()
        #expect(try await path.nearApp.send(100, of: Pattern(6)) == nil)
        for (desk, other) in [(path.near, path.far), (path.far, path.near)] {
            var moves = desk.moves.makeAsyncIterator()
            #expect(await moves.next() == other.device)
        }
        path.stop()
    }

    @Test func anUnconfirmedEndIsNotForwarded() async throws {
        let path = try await StreamPath.open(confirms: false)
        let words = Pattern(5)
        #expect(try await path.nearApp.send(5_000, of: words) == nil)
        path.nearApp.endWriting()
        #expect(await path.near.next() == .bytesEnded(.app, 5_000))
        #expect(try await path.farApp.receive(words, upTo: 5_000) == (5_000, nil))
        // Nothing to read there, not even the end.
        var state = pollfd(fd: path.farApp.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&state, 1, 100) == 0)
        path.near.confirm(.app)
        #expect(await path.far.next() == .bytesEnded(.device, 5_000))
        #expect(poll(&state, 1, 100) == 0)
        path.far.confirm(.device)
        #expect(try await path.farApp.receive(words, from: 5_000) == (5_000, .end))
        path.stop()
    }

    /// An app finished and closed its socket while its bytes were still in transit.
    @Test func bytesSentBeforeAppLeftArrive() async throws {
        let path = try await StreamPath.open()
        let words = Pattern(6)
        let count = 6 << 20
        let left = Task {
            let error = try await path.nearApp.send(count, of: words)
            path.nearApp.leave()
            return error
        }
        #expect(try await path.farApp.receive(words) == (count, .end))
        #expect(try await left.value == nil)
        path.farApp.endWriting()
        await path.expectClosedInOrder()
        path.stop()
    }

    /// The app that left had finished its own bytes. Only senders to it are notified.
    @Test(arguments: [200_000, 700_000])
    func bytesForAnAppThatLeftAreAFailureOnlyOfTheirDirection(_ count: Int) async throws {
        let path = try await StreamPath.open()
        let words = Pattern(7)
        #expect(try await path.nearApp.send(count, of: words) == nil)
        path.nearApp.leave()
        #expect(await path.near.next() == .bytesEnded(.app, UInt64(count)))
        #expect(try await path.farApp.send(1_000, of: words) == nil)
        #expect(try await path.farApp.receive(words) == (count, .end))
        #expect(await path.far.next() == .bytesEnded(.device, UInt64(count)))
        for fixture in [path.near, path.far] { await fixture.expectClosed(.streamCut) }
        path.stop()
    }

    /// The other device had finished its bytes, and is lost while we send.
    @Test func receivedBytesSurviveBrokenReturnPath() async throws {
        let path = try await StreamPath.open()
        let words = Pattern(8)
        let count = 150_000
        #expect(try await path.farApp.send(count, of: words) == nil)
        path.farApp.endWriting()
        #expect(await path.near.next() == .bytesEnded(.device, UInt64(count)))
        _ = try await path.nearApp.sendUntilHeldBack(of: words)
        path.far.cut(Failure(.deviceRemoved, ""))
        // Writes fail, but the rest can still be read.
        await path.near.expectClosed(.streamCut)
        #expect(try await path.nearApp.send(1, of: words) == EPIPE)
        #expect(try await path.nearApp.receive(words).count == count)
        path.stop()
    }

    // MARK: Back-pressure

    @Test(arguments: [true, false]) func aReaderThatStopsHoldsTheWriterBack(nearWrites: Bool) async throws {
        let path = try await StreamPath.open()
        let (writer, reader) = nearWrites ? (path.nearApp, path.farApp) : (path.farApp, path.nearApp)
        let words = Pattern(9)
        let taken = try await writer.sendUntilHeldBack(of: words)
        // Kernels buffer some megabytes. The daemons hold one read.
        #expect(taken < 64 << 20)
        for fixture in [path.near, path.far] {
            for side in [StreamParty.app, .device] {
                let waiting = try await fixture.look(at: side) {
                    try $0.channel.syncOptions!.getOption(.bufferedWritableBytes)
                }
                #expect(waiting < 1 << 20)
            }
        }
        async let got = reader.receive(words)
        let total = taken + 5_000_000
        #expect(try await writer.send(total, of: words, from: taken) == nil)
        writer.endWriting()
        #expect(try await got == (total, .end))
        path.stop()
    }

    /// Shows C06. If the sender is done, unread bytes stay in the kernel until the receiver wants them, regardless of
    /// which end closes first.
    @Test(arguments: [true, false]) func theEndOfTheBytesDoesNotPourThemIntoMemory(readerEndsFirst: Bool) async throws {
        let path = try await StreamPath.open()
        let words = Pattern(14)
        if readerEndsFirst {
            path.nearApp.endWriting()
            #expect(try await path.farApp.receive(Pattern(15)) == (0, .end))
        }
        #expect(try await path.farApp.send(1_000_000, of: words) == nil)
        path.farApp.endWriting()
        #expect(await path.far.next(where: { $0 == .bytesEnded(.app, 1_000_000) }) != nil)
        if readerEndsFirst { #expect(await path.far.next(where: \.isClosed)?.isClosed == true) }
        // A piece, and the rest of a TLS record.
        #expect(try await path.near.held() <= StreamBudget.largestPiece + 16_384)
        async let got = path.nearApp.receive(words)
        if !readerEndsFirst { path.nearApp.endWriting() }
        #expect(try await got == (1_000_000, .end))
        #expect(await path.near.next(where: \.isClosed)?.isClosed == true)
        path.stop()
    }

    /// The kernel's limit would end a connection whose reader pauses.
    @Test func aStreamHasNoLimitOnHowLongItsReaderMayPause() async throws {
        let path = try await StreamPath.open()
        for fixture in [path.near, path.far] {
            let limit = try await fixture.look(at: .device) {
                try $0.channel.syncOptions!.getOption(PeerSocketOptions.userTimeoutOption)
            }
            #expect(limit == 0)
        }
        path.stop()
    }
}
