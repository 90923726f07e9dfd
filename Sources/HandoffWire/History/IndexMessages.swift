// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

package enum IndexLimits {
    /// An entry with all its words, folded, with room for long identifiers.
    package static let requestBytes = 1024 * 1024
    /// As many matches as a request may ask for.
    package static let answerBytes = 4 * 1024 * 1024
    package static let matches = 100
    package static let usualMatches = 20
    /// Bytes of a search that an app continues.
    package static let searchBytes = 4096
    /// In one request.
    package static let forgottenEntries = 1024
}

package enum IndexRequest: Hashable, Sendable {
    case keep(HistoryEntry, used: WallTime)
    case remove(HistoryRemoval)
    /// Without a phrase: all entries.
    case find([[String]], limit: Int, now: WallTime)
    case lookUp(HistoryNumber)
    case expire(now: WallTime, unusedFor: Duration)
    case change([HistoryChange], by: BundleID, HistoryClientState?, now: WallTime)
    case clientState(of: BundleID, index: String)
    case addTransfer(ActivityTransfer)
    case transfers

    private static let version: UInt32 = 1

    package func encoded() throws(WireError) -> [UInt8] {
        var message = PBIndexRequest()
        message.version = Self.version
        message.body =
            switch self {
            case .keep(let entry, let used):
                .keep(
                    .with {
                        $0.entry = PBHistoryEntry(entry)
                        $0.usedMs = used.milliseconds
                    })
            case .remove(let removal): .remove(PBRemoveEntries(removal))
            case .find(let phrases, let limit, let now):
                .find(
                    .with {
                        $0.phrases = phrases.map(PBHistoryWordList.init)
                        $0.limit = UInt32(clamping: limit)
                        $0.nowMs = now.milliseconds
                    })
            case .lookUp(let number): .lookUp(number)
            case .expire(let now, let unusedFor):
                .expire(
                    .with {
                        $0.nowMs = now.milliseconds
                        $0.unusedForMs = Int64(unusedFor / .milliseconds(1))
                    })
            case .change(let changes, let app, let state, let now):
                .change(
                    .with {
                        $0.app = app.name
                        $0.changes = changes.map(PBEntryChange.init)
                        $0.index = state?.index ?? ""
                        if let state { $0.clientState = state.state.data }
                        $0.nowMs = now.milliseconds
                    })
            case .clientState(let app, let index):
                .clientState(
                    .with {
                        $0.app = app.name
                        $0.index = index
                    })
            case .addTransfer(let transfer): .addTransfer(PBActivityTransfer(transfer))
            case .transfers: .transfers(true)
            }
        return try message.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        let message = try PBIndexRequest.decode(bytes)
        guard message.version == Self.version, let body = message.body else {
            throw WireError(.unknownKind, "a request of another version; restart handoffd")
        }
        switch body {
        case .keep(let keep):
            self = .keep(try HistoryEntry(keep.entry), used: WallTime(milliseconds: keep.usedMs))
        case .remove(let remove): self = .remove(try HistoryRemoval(remove))
        case .find(let find):
            self = .find(
                find.phrases.map(\.words), limit: Int(find.limit), now: WallTime(milliseconds: find.nowMs))
        case .lookUp(let number): self = .lookUp(number)
        case .expire(let expire):
            self = .expire(
                now: WallTime(milliseconds: expire.nowMs), unusedFor: .milliseconds(expire.unusedForMs))
        case .change(let change):
            var changes: [HistoryChange] = []
            for each in change.changes { changes.append(try HistoryChange(each)) }
            self = .change(
                changes, by: try BundleID(change.app),
                change.hasClientState ? HistoryClientState(Array(change.clientState), of: change.index) : nil,
                now: WallTime(milliseconds: change.nowMs))
        case .clientState(let wish): self = .clientState(of: try BundleID(wish.app), index: wish.index)
        case .addTransfer(let transfer): self = .addTransfer(try ActivityTransfer(transfer))
        case .transfers: self = .transfers
        }
    }
}

package struct IndexAnswer: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// The number of kept or removed entries.
        case done(Int)
        case found([HistoryMatch])
        case clientState([UInt8])
        case transfers([ActivityTransfer])
        case failure(String)
    }

    package var content: Content
    /// For the daemon's log, about a damaged index.
    package var notice: String?

    package init(_ content: Content, notice: String? = nil) {
        self.content = content
        self.notice = notice
    }

    package func encoded() throws(WireError) -> [UInt8] {
        var message = PBIndexAnswer()
        message.notice = notice ?? ""
        message.body =
            switch content {
            case .done(let count): .done(UInt32(clamping: count))
            case .found(let matches): .found(.with { $0.entries = matches.map(PBFoundEntry.init) })
            case .clientState(let state): .clientState(state.data)
            case .transfers(let transfers): .transfers(PBActivityTransfers(transfers))
            case .failure(let reason): .failure(reason)
            }
        return try message.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        let message = try PBIndexAnswer.decode(bytes)
        switch message.body {
        case .done(let count)?: content = .done(Int(count))
        case .found(let found)?:
            var matches: [HistoryMatch] = []
            for entry in found.entries { matches.append(try HistoryMatch(entry)) }
            content = .found(matches)
        case .clientState(let state)?: content = .clientState(Array(state))
        case .transfers(let list)?: content = .transfers(try list.read())
        case .failure(let reason)?: content = .failure(reason)
        case nil: throw WireError(.unknownKind, "an answer of another version; restart handoffd")
        }
        notice = message.notice.isEmpty ? nil : message.notice
    }
}

extension HistoryEntry {
    package func encoded() throws(WireError) -> [UInt8] { try PBHistoryEntry(self).bytes() }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        try self.init(PBHistoryEntry.decode(bytes))
    }
}

extension HistoryKey {
    /// The same bytes for the same key.
    package func encoded() throws(WireError) -> [UInt8] { try PBHistoryKey(self).bytes() }
}

extension PBHistoryWordList {
    init(_ words: [String]) {
        self.init()
        self.words = words
    }
}

extension PBHistoryKey {
    init(_ key: HistoryKey) {
        self.init()
        switch key {
        case .item(let name): item = name.text
        case .persistent(let name): persistent = name.text
        case .target(let name): target = name.text
        case .page(let name): page = name.text
        case .content(let type, let title, let userInfo):
            content = .with {
                $0.activityType = type.name
                $0.title = title.text
                $0.userInfo = userInfo.data
            }
        }
    }
}

extension HistoryKey {
    init(_ message: PBHistoryKey) throws(WireError) {
        switch message.kind {
        case .item(let name)?: self = .item(ExactText(name))
        case .persistent(let name)?: self = .persistent(ExactText(name))
        case .target(let name)?: self = .target(ExactText(name))
        case .page(let name)?: self = .page(ExactText(name))
        case .content(let content)?:
            self = .content(
                try ActivityType(content.activityType), title: ExactText(content.title),
                userInfo: Array(content.userInfo))
        case nil: throw WireError(.missingField, "an entry of the history without a key")
        }
    }
}

extension PBHistoryEntry {
    init(_ entry: HistoryEntry) {
        self.init()
        app = entry.app.name
        key = PBHistoryKey(entry.key)
        activityType = entry.type.name
        title = entry.title
        if !entry.words.title.isEmpty { titleWords = PBHistoryWordList(entry.words.title) }
        otherWords = entry.words.others.map(PBHistoryWordList.init)
        if let name = entry.domain { domain = name.text }
        if let name = entry.relatedItem { relatedItem = name.text }
        if let name = entry.persistentIdentifier { persistentIdentifier = name.text }
        if let name = entry.targetContentIdentifier { targetContentIdentifier = name }
        userInfo = entry.userInfo.data
        if let url = entry.webpageURL { webpageURL = url }
        if let time = entry.expires { expiresMs = time.milliseconds }
    }
}

extension HistoryEntry {
    init(_ message: PBHistoryEntry) throws(WireError) {
        self.init(
            app: try BundleID(message.app), key: try HistoryKey(message.key),
            type: try ActivityType(message.activityType), title: message.title,
            words: HistoryWords(title: message.titleWords.words, others: message.otherWords.map(\.words)),
            domain: message.hasDomain ? ExactText(message.domain) : nil,
            relatedItem: message.hasRelatedItem ? ExactText(message.relatedItem) : nil,
            persistentIdentifier: message.hasPersistentIdentifier ? ExactText(message.persistentIdentifier) : nil,
            targetContentIdentifier: message.hasTargetContentIdentifier ? message.targetContentIdentifier : nil,
            userInfo: Array(message.userInfo), webpageURL: message.hasWebpageURL ? message.webpageURL : nil,
            expires: message.hasExpiresMs ? WallTime(milliseconds: message.expiresMs) : nil)
    }
}

extension PBFoundEntry {
    init(_ match: HistoryMatch) {
        self.init()
        number = match.number
        entry = PBHistoryEntry(match.entry)
        lastUseMs = match.lastUse.milliseconds
    }
}

extension HistoryMatch {
    init(_ message: PBFoundEntry) throws(WireError) {
        self.init(
            message.number, try HistoryEntry(message.entry), lastUse: WallTime(milliseconds: message.lastUseMs))
    }
}

extension PBRemoveEntries {
    init(_ removal: HistoryRemoval) {
        self.init()
        func names(_ names: Set<ExactText>) -> PBHistoryNames { .with { $0.names = names.sorted().map(\.text) } }
        switch removal {
        case .everything: all = true
        case .transfers: transfers = true
        case .app(let bundle): (app, all) = (bundle.name, true)
        case .activities(let bundle): (app, activities) = (bundle.name, true)
        case .allItems(let bundle): (app, allItems) = (bundle.name, true)
        case .entries(let chosen): numbers = .with { $0.numbers = chosen.sorted() }
        case .persistent(let identifiers, let bundle): (app, persistent) = (bundle.name, names(identifiers))
        case .items(let identifiers, let bundle): (app, items) = (bundle.name, names(identifiers))
        case .domains(let identifiers, let bundle): (app, domains) = (bundle.name, names(identifiers))
        }
    }
}

extension HistoryRemoval {
    init(_ message: PBRemoveEntries) throws(WireError) {
        func names(_ message: PBHistoryNames) -> Set<ExactText> { Set(message.names.map { ExactText($0) }) }
        switch message.selection {
        case .all(true)?: self = message.app.isEmpty ? .everything : .app(try BundleID(message.app))
        case .numbers(let list)?: self = .entries(Set(list.numbers))
        case .persistent(let list)?: self = .persistent(names(list), of: try BundleID(message.app))
        case .items(let list)?: self = .items(names(list), of: try BundleID(message.app))
        case .domains(let list)?: self = .domains(names(list), of: try BundleID(message.app))
        case .activities(true)?: self = .activities(of: try BundleID(message.app))
        case .allItems(true)?: self = .allItems(of: try BundleID(message.app))
        case .transfers(true)?: self = .transfers
        case .all(false)?, .activities(false)?, .allItems(false)?, .transfers(false)?, nil:
            throw WireError(.missingField, "a removal that selects nothing")
        }
    }
}

extension PBEntryChange {
    init(_ change: HistoryChange) {
        self.init()
        switch change {
        case .put(let entry, let isUpdate): (item, self.isUpdate) = (PBHistoryEntry(entry), isUpdate)
        case .remove(let removal): remove = PBRemoveEntries(removal)
        }
    }
}

extension HistoryChange {
    init(_ message: PBEntryChange) throws(WireError) {
        switch message.change {
        case .item(let entry)?: self = .put(try HistoryEntry(entry), isUpdate: message.isUpdate)
        case .remove(let removal)?: self = .remove(try HistoryRemoval(removal))
        case nil: throw WireError(.missingField, "a change of nothing")
        }
    }
}
