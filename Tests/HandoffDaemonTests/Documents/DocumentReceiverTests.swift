// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The receiver's end of a document's stream, with an origin that violates the order.
@Suite struct DocumentReceiverTests {
    private let hash = FileDigest(uncheckedBytes: Array(repeating: 1, count: 32))
    private let other = FileDigest(uncheckedBytes: Array(repeating: 2, count: 32))
    private let now = Instant.zero

    private func head(_ size: UInt64, list: Int = 0) -> DocumentHead {
        DocumentHead(size: size, modified: FileTime(nanoseconds: 5), mode: 0o644, hash: hash, listBytes: list)
    }

    private func chunks() throws -> (list: ChunkList, bytes: [UInt8]) {
        let list = ChunkList([.init(length: 3, hash: hash), .init(length: 4, hash: other)])
        return (list, try list.encoded())
    }

    @Test func aWholeFileComes() {
        var machine = DocumentReceiverStateMachine(.whole, at: now)
        #expect(machine.begin() == .say(.ask(.whole)))
        #expect(machine.came(.message(.head(head(5))), at: now) == .begin(.whole(size: 5), head(5)))
        // Bytes that arrive in the meantime are not read.
        let isReading = machine.isReading
        #expect(!isReading)
        #expect(machine.ready(expected: 5, wish: nil, at: now) == .nothing)
        #expect(machine.came(.message(.data(5)), at: now) == .nothing)
        #expect(machine.came(.bytes([1, 2]), at: now) == .append([1, 2]))
        #expect(machine.came(.bytes([3, 4, 5]), at: now) == .append([3, 4, 5]))
        #expect(machine.came(.message(.tail(hash)), at: now) == .finish(head(5), hash))
        let hasEnded = machine.hasEnded
        #expect(hasEnded)
    }

    @Test func missingListItemsAreRequested() throws {
        let (list, bytes) = try chunks()
        var machine = DocumentReceiverStateMachine(.chunks, at: now)
        #expect(machine.came(.message(.head(head(7, list: bytes.count))), at: now) == .nothing)
        #expect(
            machine.came(.list(bytes), at: now) == .begin(.chunks(bytes, size: 7), head(7, list: bytes.count)))
        #expect(try DescribedContent.chunks(bytes, size: 7).read() == .chunks(list))
        var wish = DocumentWish(itemCount: 2)
        wish[1] = true
        #expect(machine.ready(expected: 4, wish: wish, at: now) == .say(.wish(wish)))
        #expect(machine.came(.message(.data(4)), at: now) == .nothing)
        #expect(machine.came(.bytes([1, 2, 3, 4]), at: now) == .append([1, 2, 3, 4]))
        #expect(machine.came(.message(.tail(hash)), at: now) == .finish(head(7, list: bytes.count), hash))
    }

    @Test func aListThatIsNotWhatTheHeadSaysIsRefused() throws {
        let (_, bytes) = try chunks()
        let contents: [DescribedContent] = [
            .chunks(bytes, size: 8), .chunks([1, 2, 3], size: 7), .members([1, 2, 3], size: 7), .members([], size: 1),
        ]
        for content in contents {
            #expect(throws: Failure(.malformed, "")) { try content.read() }
        }
        // The reader reports it to the other device.
        var machine = DocumentReceiverStateMachine(.chunks, at: now)
        _ = machine.came(.message(.head(head(8, list: bytes.count))), at: now)
        _ = machine.came(.list(bytes), at: now)
        let failure = Failure(.malformed, "two sizes")
        #expect(machine.failed(failure) == .fail(failure, says: true))
    }

    /// Nothing reaches the disk in any other order.
    @Test func outOfOrderMessageEndsTransfer() throws {
        let (_, list) = try chunks()
        let pieces: [DocumentStreamReader.Piece] = [
            .message(.ask(.whole)), .message(.wish(DocumentWish(itemCount: 1))), .message(.data(1)),
            .message(.tail(hash)), .bytes([1]), .list(list), .message(.head(head(1, list: 4))),
        ]
        for piece in pieces {
            var machine = DocumentReceiverStateMachine(.whole, at: now)
            guard case .fail(let failure, says: true) = machine.came(piece, at: now) else {
                Issue.record("\(piece) first")
                continue
            }
            #expect(failure.code == .malformed)
        }
    }

    @Test func moreDataThanRequestedFails() {
        var machine = DocumentReceiverStateMachine(.whole, at: now)
        _ = machine.came(.message(.head(head(4))), at: now)
        _ = machine.ready(expected: 4, wish: nil, at: now)
        guard case .fail = machine.came(.message(.data(5)), at: now) else {
            Issue.record("more than was announced")
            return
        }
    }

    @Test func anEndBeforeAllDataFails() {
        var machine = DocumentReceiverStateMachine(.whole, at: now)
        _ = machine.came(.message(.head(head(4))), at: now)
        _ = machine.ready(expected: 4, wish: nil, at: now)
        _ = machine.came(.message(.data(3)), at: now)
        _ = machine.came(.bytes([1, 2, 3]), at: now)
        guard case .fail = machine.came(.message(.tail(hash)), at: now) else {
            Issue.record("three of four bytes are all")
            return
        }
    }

    // Shows E01.
    @Test func silenceEndsIt() {
        let limits = DocumentLimits()
        var machine = DocumentReceiverStateMachine(.whole, at: now)
        let deadline = machine.nextDeadline
        #expect(deadline == now.advanced(by: limits.silence))
        let later = now.advanced(by: .seconds(20))
        _ = machine.came(.message(.head(head(4))), at: later)
        // Waiting for the own disk is not the other side's silence.
        let none = machine.nextDeadline
        #expect(none == nil)
        _ = machine.ready(expected: 4, wish: nil, at: now.advanced(by: .seconds(100)))
        #expect(machine.deadlineReached(at: now.advanced(by: .seconds(129))) == .nothing)
        guard case .fail(let failure, says: true) = machine.deadlineReached(at: now.advanced(by: .seconds(130))) else {
            Issue.record("it waits for ever")
            return
        }
        #expect(failure.code == .deviceLost && failure.cocoaErrorCode == 4608)
    }

    @Test func failureFromOtherSideIsTheReason() {
        var machine = DocumentReceiverStateMachine(.whole, at: now)
        let why = Failure(.documentChanged, "changed")
        #expect(machine.came(.message(.failure(why)), at: now) == .fail(why, says: false))
        #expect(machine.lost(nil) == .nothing)
    }
}
