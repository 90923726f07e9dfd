// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage {
    package enum History: Hashable, Sendable {
        /// Without a word: all, the last used first.
        case searchHistory(String, limit: Int)
        case historyList([HistoryItem])
        /// Answered as `startContinuation` is.
        case openHistory(HistoryNumber, activation: ActivationToken?)
        /// Continues a search in an app. Answered as `startContinuation` is.
        case openSearch(String, in: BundleID, activation: ActivationToken?)
        case forgetHistory(ForgottenHistory)
        /// The number of entries.
        case historyForgotten(Int)
        case changeIndex(IndexChanges)
        case fetchClientState(String)
        /// Empty: none.
        case clientState([UInt8])
        case listTransfers
        /// The latest first.
        case transferList([ActivityTransfer])
        /// `forgets`: the desktop's own setting, to keep no record of what the user did.
        case setDesktopPrivacy(forgets: Bool)
    }
}

package struct HistoryItem: Hashable, Sendable {
    package var number: HistoryNumber
    package var title: DisplayText
    package var type: ActivityType
    package var app: BundleID
    /// Nil: no longer installed.
    package var appName: DisplayText?
    package var lastUse: WallTime
    package var webpageURL: String?

    package init(
        number: HistoryNumber, title: DisplayText, type: ActivityType, app: BundleID, appName: DisplayText?,
        lastUse: WallTime, webpageURL: String? = nil
    ) {
        self.number = number
        self.title = title
        self.type = type
        self.app = app
        self.appName = appName
        self.lastUse = lastUse
        self.webpageURL = webpageURL
    }
}

package enum ForgottenHistory: Hashable, Sendable {
    case all
    case app(BundleID)
    case entries(Set<HistoryNumber>)
    case transfers

    package var removal: HistoryRemoval {
        switch self {
        case .all: .everything
        case .app(let bundle): .app(bundle)
        case .entries(let numbers): .entries(numbers)
        case .transfers: .transfers
        }
    }
}

extension LocalMessage.History {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .searchHistory(let words, let limit):
            .searchHistory(
                .with {
                    $0.words = words
                    $0.limit = UInt32(clamping: limit)
                })
        case .historyList(let items): .historyList(.with { $0.items = items.map(PBHistoryItem.init) })
        case .openHistory(let number, let activation):
            .openHistory(
                .with {
                    $0.number = number
                    $0.activationToken = activation?.text ?? ""
                })
        case .openSearch(let words, let app, let activation):
            .openSearch(
                .with {
                    $0.words = words
                    $0.appBundle = app.name
                    $0.activationToken = activation?.text ?? ""
                })
        case .forgetHistory(let forgotten): .forgetHistory(PBForgetHistory(forgotten))
        case .historyForgotten(let count): .historyForgotten(.with { $0.count = UInt32(clamping: count) })
        case .changeIndex(let changes): .changeIndex(PBChangeIndex(changes))
        case .fetchClientState(let index): .fetchClientState(.with { $0.index = index })
        case .clientState(let state): .clientState(.with { $0.state = state.data })
        case .listTransfers: .listTransfers(.init())
        case .transferList(let transfers): .transferList(PBActivityTransfers(transfers))
        case .setDesktopPrivacy(let forgets): .setDesktopPrivacy(.with { $0.forgets = forgets })
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .searchHistory(let search):
            self = .searchHistory(
                search.words,
                limit: search.limit == 0 ? IndexLimits.usualMatches : min(Int(search.limit), IndexLimits.matches))
        case .historyList(let list):
            var items: [HistoryItem] = []
            for item in list.items { items.append(try HistoryItem(item)) }
            self = .historyList(items)
        case .openHistory(let open):
            self = .openHistory(
                open.number,
                activation: open.activationToken.isEmpty ? nil : try ActivationToken(open.activationToken))
        case .openSearch(let open):
            guard (1...IndexLimits.searchBytes).contains(open.words.utf8.count) else {
                throw WireError(.limitReached, "a search has 1 to \(IndexLimits.searchBytes) bytes")
            }
            self = .openSearch(
                open.words, in: try BundleID(open.appBundle),
                activation: open.activationToken.isEmpty ? nil : try ActivationToken(open.activationToken))
        case .forgetHistory(let forget): self = .forgetHistory(try ForgottenHistory(forget))
        case .historyForgotten(let forgotten): self = .historyForgotten(Int(forgotten.count))
        case .changeIndex(let changes): self = .changeIndex(try IndexChanges(changes))
        case .fetchClientState(let fetch): self = .fetchClientState(fetch.index)
        case .clientState(let message): self = .clientState(Array(message.state))
        case .listTransfers: self = .listTransfers
        case .transferList(let list): self = .transferList(try list.read())
        case .setDesktopPrivacy(let privacy): self = .setDesktopPrivacy(forgets: privacy.forgets)
        default: return nil
        }
    }
}

extension PBHistoryItem {
    init(_ item: HistoryItem) {
        self.init()
        number = item.number
        title = item.title.text
        activityType = item.type.name
        appBundle = item.app.name
        appName = item.appName?.text ?? ""
        lastUseMs = item.lastUse.milliseconds
        webpageURL = item.webpageURL ?? ""
    }
}

extension HistoryItem {
    init(_ message: PBHistoryItem) throws(WireError) {
        self.init(
            number: message.number, title: DisplayText(cleaning: message.title),
            type: try ActivityType(message.activityType), app: try BundleID(message.appBundle),
            appName: message.appName.isEmpty ? nil : .name(message.appName),
            lastUse: WallTime(milliseconds: message.lastUseMs),
            webpageURL: message.webpageURL.isEmpty ? nil : message.webpageURL)
    }
}

extension PBForgetHistory {
    init(_ forgotten: ForgottenHistory) {
        self.init()
        what =
            switch forgotten {
            case .all: .all(true)
            case .app(let bundle): .appBundle(bundle.name)
            case .entries(let numbers): .numbers(.with { $0.numbers = numbers.sorted() })
            case .transfers: .transfers(true)
            }
    }
}

extension ForgottenHistory {
    init(_ message: PBForgetHistory) throws(WireError) {
        switch message.what {
        case .all(true)?: self = .all
        case .appBundle(let bundle)?: self = .app(try BundleID(bundle))
        case .numbers(let list)?:
            guard list.numbers.count <= IndexLimits.forgottenEntries else {
                throw WireError(.limitReached, "more than \(IndexLimits.forgottenEntries) entries")
            }
            self = .entries(Set(list.numbers))
        case .transfers(true)?: self = .transfers
        case .all(false)?, .transfers(false)?, nil: throw WireError(.missingField, "a request to forget nothing")
        }
    }
}
