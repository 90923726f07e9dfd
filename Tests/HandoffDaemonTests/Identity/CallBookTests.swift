// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows X07.
@Suite struct CallBookTests {
    private let laptop = DeviceKey()
    private let desktop = DeviceKey()
    private let phone = DeviceKey()
    private let now = WallTime(milliseconds: 1_800_000_000_000)
    private let name = DisplayText(cleaning: "device")

    /// Founded by the laptop, which admitted the others.
    private func record(_ others: [DeviceKey]) throws -> AccountRecord {
        var record = try AccountRecord.founded(by: laptop, name: name, kind: .laptop, time: now).record
        for other in others { try record.admit(other.publicKey, name: name, kind: .phone, by: laptop, time: now) }
        return record
    }

    /// The far devices are admitted by the desktop.
    private func record(_ near: [DeviceKey], admittingThere far: [DeviceKey]) throws -> AccountRecord {
        var record = try record(near)
        let account = record.roster.account
        let made = try far.map { key in
            let description = DeviceDescription(key: key.publicKey.spki, name: name, kind: .phone)
            return try RosterStatement(account: account, time: now, epoch: 0, kind: .admitted(description)).signed(
                by: desktop)
        }
        _ = record.merge(RosterUpdate(statements: made), on: laptop.id, at: now)
        return record
    }

    private func book(_ record: AccountRecord, of key: DeviceKey) throws -> CallBook {
        let store = MemoryStateStore()
        store.files["account.bin"] = try record.encoded()
        var calls = CallBook()
        calls.follow(try AccountBook(store: store, credentials: .create(key: key, store: store)))
        return calls
    }

    private func caller(_ secret: CallSecret?, at book: CallBook) -> Caller? {
        book.callers.first { $0.secret == secret }?.caller
    }

    @Test func aMemberIsRecognizedByAnyMemberItCalls() throws {
        let record = try record([desktop, phone])
        let (near, far) = (try book(record, of: laptop), try book(record, of: desktop))
        #expect(near.secrets(calling: desktop.id).count == 1)
        #expect(caller(near.secrets(calling: desktop.id).first, at: far) == .device(laptop.id))
        // If any member may answer, each recognizes the call.
        let everybody = near.secrets(calling: nil)
        #expect(everybody.count == 3)
        #expect(everybody.compactMap { caller($0, at: far) } == [.device(laptop.id)])
        #expect(near.secrets(calling: DeviceKey().id).isEmpty)
    }

    // Shows T03: it must be notified.
    @Test func removedDeviceIsAnsweredButNotCalled() throws {
        var record = try record([desktop, phone])
        let removed = try book(record, of: phone)
        try record.remove(phone.id, by: laptop, time: now)
        let laptops = try book(record, of: laptop)
        #expect(caller(removed.secrets(calling: laptop.id).first, at: laptops) == .device(phone.id))
        #expect(laptops.secrets(calling: nil).count == 2)
    }

    /// A member floods the roster: the cost of a stranger's call stays bounded, and the nearest members are still
    /// recognized.
    @Test func theNumberOfTriedSecretsIsBounded() throws {
        let record = try record([desktop], admittingThere: (0..<300).map { _ in DeviceKey() })
        #expect(record.roster.members.count == 302)
        let laptops = try book(record, of: laptop)
        #expect(laptops.callers.count == CallBook.members)
        let theirs = try #require(desktop.callSecrets(with: laptop.publicKey))
        #expect(caller(theirs.calling, at: laptops) == .device(desktop.id))
        #expect(laptops.secrets(calling: nil).count == Limits.callProofs)
        #expect(laptops.secrets(calling: nil).contains(theirs.calledBy))
    }

    /// As in section 4 of docs/protocol.md: the nearest first, and at equal distance the lower IDs, including the
    /// caller.
    @Test func tooManyMembersAreCalledTheNearestFirstAndThenTheLowerIDs() throws {
        let phones = (0..<80).map { _ in DeviceKey() }
        let laptops = try book(try record([desktop], admittingThere: phones), of: laptop)
        let called = [laptop, desktop] + phones.sorted { $0.id < $1.id }.prefix(Limits.callProofs - 2)
        let secrets = called.compactMap { laptop.callSecrets(with: $0.publicKey)?.calling }
        #expect(laptops.secrets(calling: nil) == secrets)
    }
}
