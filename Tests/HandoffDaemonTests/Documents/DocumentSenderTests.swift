// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct DocumentSenderTests {
    private let hash = FileDigest(uncheckedBytes: Array(repeating: 1, count: 32))

    @Test func aWholeFileGoes() {
        var machine = DocumentSenderStateMachine()
        #expect(machine.came(.message(.ask(.whole))) == .open(.whole))
        #expect(machine.opened(items: nil) == .sayHead)
        let isSending = machine.isSending
        #expect(isSending)
        #expect(machine.read([1, 2], last: nil) == .send([1, 2]))
        #expect(machine.read([], last: (hash, true)) == .finish(hash))
        let hasEnded = machine.hasEnded
        #expect(hasEnded)
    }

    @Test func requestedListItemsAreSent() {
        var machine = DocumentSenderStateMachine()
        _ = machine.came(.message(.ask(.chunks)))
        #expect(machine.opened(items: 9) == .sayHead)
        let isSending = machine.isSending
        #expect(!isSending)
        let wish = DocumentWish(itemCount: 9)
        #expect(machine.came(.message(.wish(wish))) == .select(wish))
        #expect(machine.selected() == .read)
    }

    @Test func aRequestWithAWrongItemCountIsRefused() {
        for bits in [0, 1, 3, 100] {
            var machine = DocumentSenderStateMachine()
            _ = machine.came(.message(.ask(.chunks)))
            _ = machine.opened(items: 9)
            guard
                case .fail(let failure, says: true) = machine.came(
                    .message(.wish(DocumentWish(bits: Array(repeating: 255, count: bits)))))
            else {
                Issue.record("\(bits) bytes for nine items")
                continue
            }
            #expect(failure.code == .malformed)
        }
    }

    /// The content changed during the transfer, so the receiver must not accept it.
    @Test func documentChangedDuringTransferFails() {
        var machine = DocumentSenderStateMachine()
        _ = machine.came(.message(.ask(.whole)))
        _ = machine.opened(items: nil)
        guard case .fail(let failure, says: true) = machine.read([], last: (hash, false)) else {
            Issue.record("a changed document is finished")
            return
        }
        #expect(failure.code == .documentChanged)
    }

    @Test func outOfOrderMessageEndsTransfer() {
        let pieces: [DocumentStreamReader.Piece] = [
            .message(.head(DocumentHead(size: 1, modified: FileTime(nanoseconds: 0), mode: 0, hash: nil))),
            .message(.wish(DocumentWish(itemCount: 1))), .message(.data(1)), .message(.tail(hash)), .bytes([1]),
            .list([1]),
        ]
        for piece in pieces {
            var machine = DocumentSenderStateMachine()
            guard case .fail(_, says: true) = machine.came(piece) else {
                Issue.record("\(piece) first")
                continue
            }
        }
        var machine = DocumentSenderStateMachine()
        _ = machine.came(.message(.ask(.whole)))
        guard case .fail = machine.came(.message(.ask(.whole))) else {
            Issue.record("asked twice")
            return
        }
    }
}
