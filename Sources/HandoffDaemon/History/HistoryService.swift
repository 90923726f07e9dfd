// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

/// Keeps, finds, opens and forgets activities that apps make eligible for search, on this device.
final class HistoryService: Feature {
    /// Saved states that wait for the index. Another replaces the oldest.
    static let waitingStates = 16
    static let waitingChanges = 8
    /// Fetching the same again and again causes no work.
    static let rememberedTransfers = 32
    /// To the first look for expired entries; the start does not wait.
    static let firstLook = Duration.seconds(600)

    private let index: any ActivityIndex
    private let lane: any WorkLane
    private let continuation: ContinuationService
    private let apps: AppsService
    private let membership: any Membership
    private let policy: PolicyService
    private let presence: PresenceService
    private let time: any TimeSource
    /// From an entry's last use to its expiry. Zero: nothing is kept.
    private let unused: Duration
    private let log: Logger

    private var waiting: [Use] = []
    private var isKeeping = false
    private var changes: [BundleID: Int] = [:]
    /// Each app's last: another use of the same activity costs nothing.
    private var last: [BundleID: LastUse] = [:]
    private var transfers: [ActivityTransfer] = []
    private var nextLook: WallTime?
    private var alarm: (any Alarm)?
    private var isFailing = false
    private var desktopForgets = false

    private struct Use: Sendable {
        let state: ActivityState
        let app: BundleID
        let time: WallTime
    }

    private struct LastUse {
        let hash: Int
        let time: WallTime

        init(_ use: Use) { (hash, time) = (use.state.hashValue, use.time) }

        func isSame(as other: LastUse) -> Bool {
            hash == other.hash && Frecency.isSameUse(time, other.time)
        }
    }

    init(
        index: any ActivityIndex, work: any Work, continuation: ContinuationService, apps: AppsService,
        membership: any Membership, policy: PolicyService, presence: PresenceService, time: any TimeSource,
        unused: Duration, log: Logger
    ) {
        self.index = index
        lane = work.makeLane()
        self.continuation = continuation
        self.apps = apps
        self.membership = membership
        self.policy = policy
        self.presence = presence
        self.time = time
        self.unused = unused
        self.log = log
    }

    func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }
        nextLook = time.wallTime.advanced(by: Self.firstLook)
        arm()
        finishWork()
    }

    func stop() {
        alarm?.set(nil)
        lane.cancel()
    }

    // MARK: Keeping

    func saved(_ state: ActivityState, by app: BundleID) {
        guard state.isEligibleForSearch, !app.isSystemProgram, prohibition(of: app) == nil else { return }
        let use = Use(state: state, app: app, time: time.wallTime)
        if let last = last[app], LastUse(use).isSame(as: last) { return }
        last[app] = LastUse(use)
        if waiting.count == Self.waitingStates {
            let dropped = waiting.removeFirst()
            log.warning("An activity is not kept, because the history is too slow", metadata: ["app": "\(dropped.app)"])
        }
        waiting.append(use)
        keepNext()
    }

    private func keepNext() {
        guard !isKeeping, !waiting.isEmpty else { return }
        let use = waiting.removeFirst()
        isKeeping = true
        run({ [index] () throws(Failure) in
            let entry: HistoryEntry?
            do throws(WireError) { entry = try HistoryEntry(of: use.state, by: use.app) } catch {
                throw Failure(.malformed, "\(use.app) made an activity that cannot be read: \(error.reason)")
            }
            return try entry.map { entry throws(Failure) in try index.keep(entry, usedAt: use.time) } ?? true
        }) { [weak self] result in
            guard let self else { return }
            isKeeping = false
            switch result {
            case .success(true): break
            case .success(false):
                log.info("An activity names an item that is not in the index", metadata: ["app": "\(use.app)"])
                fallthrough
            case .failure: last[use.app] = nil
            }
            keepNext()
        }
    }

    func transferred(_ transfer: ActivityTransfer) {
        guard prohibition(of: transfer.app) == nil, !transfers.contains(where: transfer.isSame) else { return }
        transfers = transfers.suffix(Self.rememberedTransfers - 1) + [transfer]
        var kept = transfer
        // Its app could not delete it.
        if let name = kept.persistentIdentifier, name.text.utf8.count > IndexChanges.identifierBytes {
            (kept.persistentIdentifier, kept.title) = (nil, nil)
        }
        run({ [index, kept] () throws(Failure) in try index.add(kept) }) { _ in }
    }

    /// For `app`; nil: for all apps.
    private func prohibition(of app: BundleID?) -> Failure? {
        if desktopForgets {
            return Failure(.notAllowed, "the desktop's privacy settings say that no file history is kept")
        }
        if unused == .zero { return Failure(.notAllowed, "the setting history is 0") }
        return policy.obstacle(to: .history, of: app).map { Failure(.notAllowed, $0.reason) }
    }

    // MARK: Deleting

    func delete(_ saved: SavedActivities, of app: BundleID, then: @escaping (Failure?) -> Void) {
        let removal: HistoryRemoval
        switch saved {
        case .all: removal = .activities(of: app)
        case .named(let identifiers): removal = .persistent(identifiers, of: app)
        }
        remove(removal) { result in
            switch result {
            case .success: then(nil)
            case .failure(let failure): then(failure)
            }
        }
    }

    private func remove(_ removal: HistoryRemoval, then: @escaping (Result<Int, Failure>) -> Void) {
        // Waiting states are older, and are kept again at their next use.
        waiting.removeAll { removal.mayConcern($0.app) }
        last = last.filter { !removal.mayConcern($0.key) }
        transfers = []
        run({ [index] () throws(Failure) in try index.remove(removal) }, then: then)
    }

    /// After a crash.
    private func finishWork() {
        let now = time.wallTime
        run({ [index] () throws(Failure) in
            if index.hasUnfinishedWork { _ = try index.found(by: HistoryQuery(""), limit: 1, at: now) }
        }) { _ in }
    }

    // MARK: Expiry

    private func deadlineReached() {
        guard let due = nextLook, due <= time.wallTime else { return arm() }
        let now = time.wallTime
        nextLook = now.advanced(by: HistoryExpiry.apart)
        arm()
        run({ [index, unused] () throws(Failure) in try index.removeExpired(at: now, unusedFor: unused) }) {
            [log] result in
            if case .success(let count) = result, count > 0 {
                log.info("Expired entries of the history removed", metadata: ["entries": "\(count)"])
            }
        }
    }

    private func arm() { alarm?.set(nextLook.map(time.look(for:))) }

    // MARK: Jobs

    private func run<Outcome: Sendable>(
        _ job: @escaping @Sendable () throws(Failure) -> Outcome, then: @escaping (Result<Outcome, Failure>) -> Void
    ) {
        do throws(Failure) {
            try lane.run({ () -> Result<Outcome, Failure> in
                do throws(Failure) { return .success(try job()) } catch { return .failure(error) }
            }) { [weak self] result in
                self?.note(result)
                then(result)
            }
        } catch {
            then(.failure(error))
        }
    }

    /// Logs a failure once, until the index works again.
    private func note<Outcome>(_ result: Result<Outcome, Failure>) {
        switch result {
        case .success: isFailing = false
        case .failure(let failure):
            if !isFailing { log.warning("History cannot be used", metadata: ["reason": "\(failure.reason)"]) }
            isFailing = true
        }
    }
}

extension HistoryService: LocalMessageHandler {
    func handle(_ message: LocalMessage.History, from client: any Client, reply: @escaping ClientReply) {
        switch message {
        case .searchHistory(let words, let limit): search(words, limit: limit, reply: reply)
        case .openHistory(let number, let activation): open(number, activation, for: client, reply: reply)
        case .openSearch(let words, let app, let activation):
            if let obstacle { return reply(.failure(obstacle)) }
            continuation.open(.search(for: words), of: app, activation: activation, for: client, reply: reply)
        case .forgetHistory(let forgotten):
            remove(forgotten.removal) { reply($0.message { .history(.historyForgotten($0)) }) }
        case .changeIndex(let changes): change(changes, by: client, reply: reply)
        case .fetchClientState(let name): fetchClientState(of: name, for: client, reply: reply)
        case .listTransfers: listTransfers(reply: reply)
        case .setDesktopPrivacy(let forgets):
            desktopForgets = forgets
            reply(.done(accepted: true))
        case .historyList, .historyForgotten, .clientState, .transferList: reply(.failure(.notForTheDaemon))
        }
    }

    /// Nil: the history may be read.
    private var obstacle: Failure? {
        if let prohibition = prohibition(of: nil) { return prohibition }
        if presence.word.presence == .locked {
            return Failure(.notAllowed, "the session is locked")
        }
        return nil
    }

    private func search(_ words: String, limit: Int, reply: @escaping ClientReply) {
        if let obstacle { return reply(.failure(obstacle)) }
        // No index has signs alone.
        guard !HistoryQuery(words).isEmpty || words.allSatisfy(\.isWhitespace) else {
            return reply(.history(.historyList([])))
        }
        find(words, limit: limit, among: limit, reply: reply)
    }

    private func find(_ words: String, limit: Int, among asked: Int, reply: @escaping ClientReply) {
        let now = time.wallTime
        run({ [index] () throws(Failure) in try index.found(by: HistoryQuery(words), limit: asked, at: now) }) {
            [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let matches):
                let shown = matches.filter { self.isShown($0.entry) }.prefix(limit)
                if shown.count < limit, matches.count == asked, asked < IndexLimits.matches {
                    return find(words, limit: limit, among: IndexLimits.matches, reply: reply)
                }
                reply(.history(.historyList(shown.map(item).fitting { .history(.historyList($0)) })))
            case .failure(let failure): reply(.failure(failure))
            }
        }
    }

    private func isShown(_ entry: HistoryEntry) -> Bool {
        guard prohibition(of: entry.app) == nil else { return false }
        return apps.app(entry.app).map(apps.isTrusted) ?? (entry.webpageURL != nil)
    }

    private func item(_ match: HistoryMatch) -> HistoryItem {
        HistoryItem(
            number: match.number, title: DisplayText(cleaning: match.entry.title), type: match.entry.type,
            app: match.entry.app, appName: apps.app(match.entry.app)?.name, lastUse: match.lastUse,
            webpageURL: match.entry.webpageURL)
    }

    private func listTransfers(reply: @escaping ClientReply) {
        if let obstacle { return reply(.failure(obstacle)) }
        run({ [index] () throws(Failure) in try index.transfers() }) { [membership] result in
            reply(
                result.message { transfers in
                    let named = transfers.map { $0.named(by: membership) }
                    return .history(.transferList(named.fitting { .history(.transferList($0)) }))
                })
        }
    }

    private func open(
        _ number: HistoryNumber, _ activation: ActivationToken?, for client: any Client, reply: @escaping ClientReply
    ) {
        if let obstacle { return reply(.failure(obstacle)) }
        run({ [index] () throws(Failure) in try index.entry(number) }) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let entry?):
                continuation.open(entry.state, of: entry.app, activation: activation, for: client, reply: reply)
            case .success(nil): reply(.failure(Failure(.activityGone, "the history has no entry \(number)")))
            case .failure(let failure): reply(.failure(failure))
            }
        }
    }
}

// MARK: Items

extension HistoryService {
    private func change(_ wish: IndexChanges, by client: any Client, reply: @escaping ClientReply) {
        guard let app = client.bundle else { return reply(.failure(.notForTheDaemon)) }
        let isDeletion = wish.changes.allSatisfy { if case .item = $0 { false } else { true } }
        if !isDeletion, let prohibition = prohibition(of: app) { return reply(.failure(prohibition)) }
        guard changes[app, default: 0] < Self.waitingChanges else {
            return reply(.failure(Failure(.limitReached, "\(Self.waitingChanges) changes of this app wait")))
        }
        changes[app, default: 0] += 1
        let now = time.wallTime
        run({ [index] () throws(Failure) in
            let state = wish.clientState.map { HistoryClientState($0, of: wish.index) }
            try index.change(try wish.entries(by: app), by: app, state: state, at: now)
        }) { [weak self] result in
            self?.changes[app, default: 1] -= 1
            if self?.changes[app] == 0 { self?.changes[app] = nil }
            reply(result.message { .done(accepted: true) })
        }
    }

    private func fetchClientState(of name: String, for client: any Client, reply: @escaping ClientReply) {
        guard let app = client.bundle else { return reply(.failure(.notForTheDaemon)) }
        run({ [index] () throws(Failure) in try index.clientState(of: app, index: name) }) {
            reply($0.message { .history(.clientState($0)) })
        }
    }
}

extension Result where Failure == HandoffWire.Failure {
    fileprivate func message(_ success: (Success) -> LocalMessage) -> LocalMessage {
        switch self {
        case .success(let value): success(value)
        case .failure(let failure): .failure(failure)
        }
    }
}

extension IndexChanges {
    /// Throws `.malformed` for unreadable attributes.
    fileprivate func entries(by app: BundleID) throws(Failure) -> [HistoryChange] {
        var entries: [HistoryChange] = []
        for change in changes {
            switch change {
            case .item(let item):
                do throws(WireError) {
                    guard let entry = try HistoryEntry(of: item, by: app) else {
                        // Nothing could find it.
                        entries.append(.remove(.items([item.uniqueIdentifier], of: app)))
                        continue
                    }
                    entries.append(.put(entry, isUpdate: item.isUpdate))
                } catch {
                    throw Failure(.malformed, error.reason)
                }
            case .deleteItems(let names): entries.append(.remove(.items(Set(names), of: app)))
            case .deleteDomains(let names): entries.append(.remove(.domains(Set(names), of: app)))
            case .deleteAll: entries.append(.remove(.allItems(of: app)))
            }
        }
        return entries
    }
}

extension ActivityTransfer {
    /// A device may have been renamed.
    fileprivate func named(by membership: any Membership) -> ActivityTransfer {
        var transfer = self
        if let name = device.flatMap(membership.member)?.name { transfer.deviceName = name }
        return transfer
    }
}

extension HistoryRemoval {
    fileprivate func mayConcern(_ app: BundleID) -> Bool {
        switch self {
        case .everything: true
        case .entries, .transfers: false
        case .app(let bundle), .activities(let bundle), .allItems(let bundle), .persistent(_, let bundle),
            .items(_, let bundle), .domains(_, let bundle):
            bundle == app
        }
    }
}
