// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire
internal import Logging

/// The user's changes. Each is on disk when the method returns. Errors are sentences for the user.
final class AccountRequestHandler {
    private let book: AccountBook
    private let time: any TimeSource
    private let name: DisplayText
    private let kind: DeviceKind
    private let log: Logger
    /// Until the user confirms it, or the daemon stops.
    private var unconfirmedKey: RecoveryKey?

    init(
        book: AccountBook, time: any TimeSource, name: DisplayText, kind: DeviceKind, log: Logger
    ) {
        self.book = book
        self.time = time
        self.name = name
        self.kind = kind
        self.log = log
    }

    /// Throws in an account, or after a removal without a new key yet.
    func checkNoAccount() throws(Failure) {
        guard let stored = book.stored else { return }
        guard stored.roster.members[book.device] == nil else {
            throw Failure(.alreadyMember, "this device is already in an account")
        }
        throw Failure(.deviceRemoved, book.end?.notice ?? "this device was removed from its account")
    }

    func create() throws(Failure) -> RecoveryKey {
        try checkNoAccount()
        return try found(name)
    }

    private func found(_ name: DisplayText) throws(Failure) -> RecoveryKey {
        let (record, recovery) = try carefully { () throws in
            try AccountRecord.founded(by: book.credentials.key, name: name, kind: kind, time: time.wallTime)
        }
        try book.write(record)
        unconfirmedKey = recovery
        log.info("Account created")
        return recovery
    }

    func recover(_ wish: RecoverAccount) throws(Failure) {
        let key: RecoveryKey
        do throws(WireError) { key = try RecoveryKey(text: wish.key) } catch {
            throw Failure(.keyMistyped, error.reason)
        }
        var record = book.stored ?? AccountRecord(account: key.account)
        guard record.roster.account == key.account else {
            throw Failure(.wrongKey, "this recovery key is for a different account from the one this device is in")
        }
        var kept: Set<DeviceID> = wish.removeOthers ? [] : Set(record.roster.members.keys)
        for text in wish.remove { kept.remove(try find(text, in: record.roster)) }
        try carefully { () throws in
            try record.recover(
                with: key, key: book.credentials.key, name: ownName(in: record.roster), kind: kind, keeping: kept,
                time: time.wallTime)
        }
        try book.write(record)
        unconfirmedKey = nil
        log.info("Account recovered", metadata: ["devices": "\(book.members.count)"])
    }

    func rename(_ text: String?, to raw: String) throws(Failure) -> Member {
        guard var record = book.record else { throw book.noMembership }
        let device = try text.map { text throws(Failure) in try find(text, in: record.roster) } ?? book.device
        let name = DisplayText(cleaning: raw, limit: Limits.nameCharacters)
        guard !name.text.isEmpty else { throw Failure(.malformed, "a device needs a visible name") }
        if record.roster.members[device]?.name != name {
            try carefully { () throws in
                try record.rename(device, to: name, by: book.credentials.key, time: time.wallTime)
            }
            try book.write(record)
            log.info("Device renamed", metadata: ["device": "\(device.short)"])
        }
        return try member(device)
    }

    struct Removal {
        let member: Member
        /// They are members only through `member`, and stay.
        let dependents: [Member]
        let alsoRemoved: [Member]
    }

    /// `withAdmitted` also finds an already removed device: the devices that it admitted may have stayed.
    func remove(_ text: String, onlyAsk: Bool, withAdmitted: Bool = false) throws(Failure) -> Removal {
        guard let record = book.record else { throw book.noMembership }
        let device = try find(text, in: record.roster, evenRemoved: withAdmitted)
        guard let member = record.roster.membersEvenRemoved[device] else {
            throw Failure(.internal, "this device does not know that device")
        }
        let thorough = try removing(device, withAdmitted: true, from: record)
        let after = withAdmitted ? thorough : try removing(device, withAdmitted: false, from: record)
        func isOther(_ device: DeviceID, outsideOf roster: Roster) -> Bool {
            device != member.key.id && roster.members[device] == nil
        }
        let alsoRemoved = record.roster.members.filter { isOther($0.key, outsideOf: after.roster) }
        let dependents = after.roster.members.filter { isOther($0.key, outsideOf: thorough.roster) }
        guard record.roster.members[device] != nil || !alsoRemoved.isEmpty else {
            throw Failure(.noSuchDevice, "that device is already removed, and no device is a member only through it")
        }
        let removal = Removal(
            member: Member(device, member), dependents: dependents.inOrderOfAdmission,
            alsoRemoved: alsoRemoved.inOrderOfAdmission)
        guard !onlyAsk else { return removal }
        try book.write(after)
        log.info("Device removed", metadata: ["device": "\(device.short)", "others": "\(alsoRemoved.count)"])
        return removal
    }

    /// Membership follows from the statements alone, so a modified copy shows a removal's effect.
    private func removing(
        _ device: DeviceID, withAdmitted: Bool, from record: AccountRecord
    ) throws(Failure) -> AccountRecord {
        var record = record
        try carefully { () throws in
            try record.remove(device, withAdmitted: withAdmitted, by: book.credentials.key, time: time.wallTime)
        }
        return record
    }

    func removeThisDevice(isMeant: Bool) throws(Failure) {
        guard book.record != nil else { return }
        guard isMeant else {
            throw Failure(.notAllowed, "this device is a member of the account: leaving removes it permanently")
        }
        _ = try remove(book.device.description, onlyAsk: false)
    }

    /// Also creates a new key.
    func leave() throws(Failure) {
        try book.forget()
        unconfirmedKey = nil
        log.info("Account left", metadata: ["device": "\(book.device.short)"])
    }

    // MARK: The recovery key

    var recoveryKey: RecoveryKeyState {
        guard book.record?.isRecoveryKeyUnconfirmed == true else { return .confirmed }
        return unconfirmedKey == nil ? .lost : .unconfirmed
    }

    func showKey() throws(Failure) -> RecoveryKey {
        guard book.record != nil else { throw book.noMembership }
        guard let unconfirmedKey else {
            throw Failure(
                .notAllowed,
                "the recovery key cannot be shown: it is stored nowhere; if you do not have it, make a new one")
        }
        return unconfirmedKey
    }

    func confirmKey() throws(Failure) {
        guard var record = book.record else { throw book.noMembership }
        guard record.isRecoveryKeyUnconfirmed else { return }
        guard unconfirmedKey != nil else {
            throw Failure(.notAllowed, "the recovery key was lost when handoffd stopped; make a new one")
        }
        record.isRecoveryKeyUnconfirmed = false
        try book.write(record)
        unconfirmedKey = nil
    }

    /// The account's id is derived from its recovery key, so a new key begins another account. `leaving`: notify the
    /// other devices while the old account still exists here.
    func replaceKey(evenWithOthers: Bool, leaving: () -> Void) throws(Failure) -> RecoveryKey {
        guard let roster = book.record?.roster else { throw book.noMembership }
        let hasOthers = roster.members.count > 1
        guard !hasOthers || evenWithOthers else {
            throw Failure(
                .notAllowed,
                "a new recovery key begins a new account; the other devices stay in the old one until they are "
                    + "added again")
        }
        let name = ownName(in: roster)
        if hasOthers {
            try removeThisDevice(isMeant: true)
            leaving()
        }
        return try found(name)
    }

    // MARK: -

    func history() throws(Failure) -> [AccountLogEntry] {
        guard let roster = book.stored?.roster else { throw .noAccount }
        var names: [DeviceID: DisplayText] = [:]
        for statement in roster.history {
            guard let subject = statement.subject else { continue }
            names[subject.key.id] = roster.name(of: subject.key.id) ?? subject.name
        }
        return roster.history.map { statement in
            let device = statement.content.device
            return AccountLogEntry(
                what: statement.content.what, time: statement.time, device: device,
                name: names[device] ?? DisplayText(cleaning: device.short),
                by: statement.isRoot ? nil : statement.signer, byName: names[statement.signer],
                counts: roster.counts(statement.id))
        }
    }

    // MARK: -

    private func member(_ device: DeviceID) throws(Failure) -> Member {
        guard let member = book.member(device) else { throw Failure(.internal, "the device is not a member") }
        return member
    }

    private func find(_ text: String, in roster: Roster, evenRemoved: Bool = false) throws(Failure) -> DeviceID {
        func find(in devices: [DeviceID: RosterMember]) throws(Failure) -> DeviceID {
            try DeviceChoice.one(text, of: devices.map { (device: $0.key, name: $0.value.name) })
        }
        // A removed device may have had a member's name.
        guard evenRemoved else { return try find(in: roster.members) }
        do throws(Failure) { return try find(in: roster.members) } catch {
            return try find(in: roster.membersEvenRemoved)
        }
    }

    private func ownName(in roster: Roster) -> DisplayText { roster.name(of: book.device) ?? name }

    private func carefully<Result>(_ work: () throws -> Result) throws(Failure) -> Result {
        do {
            return try work()
        } catch StatementRejection.limitReached {
            throw Failure(.limitReached, "the account's roster is full")
        } catch StatementRejection.lastEpoch {
            throw Failure(
                .limitReached,
                "this account cannot be recovered again, because another person has used its recovery key; create a new account"
            )
        } catch {
            throw Failure(.internal, "the statement could not be made: \(error)")
        }
    }
}

extension AccountBook {
    var noMembership: Failure { end.map { Failure(.deviceRemoved, $0.notice) } ?? .noAccount }

    var end: MembershipEnd? {
        guard let stored, record == nil else { return nil }
        guard let removal = stored.roster.removed[device] else { return .dropped }
        guard removal.by != device else { return .left }
        return .removed(by: stored.roster.name(of: removal.by) ?? DisplayText(cleaning: removal.by.short))
    }
}

extension MembershipEnd {
    /// For terminals.
    var notice: String {
        let what =
            switch self {
            case .removed(let by): "This device was removed from its account by \(by.text)."
            case .left: "This device removed itself from its account."
            case .dropped: "This device is no longer a member of its account."
            }
        return "\(what) To join again: handoff account leave"
    }
}

extension VerifiedStatement.Content {
    fileprivate var device: DeviceID {
        switch self {
        case .founded(let subject), .recovered(let subject), .admitted(let subject): subject.key.id
        case .renamed(let device, _, _), .revoked(let device, _): device
        }
    }

    fileprivate var what: AccountLogEntry.What {
        switch self {
        case .founded: .founded
        case .recovered: .recovered
        case .admitted: .admitted
        case .renamed(_, let name, _): .renamed(name)
        case .revoked: .removed
        }
    }
}
