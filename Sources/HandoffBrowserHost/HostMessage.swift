// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
package import HandoffWire

/// What the extension is told. Extension/README.md has the words.
package enum HostMessage: Hashable, Sendable {
    /// All that the list shows, again at each change.
    case state(HostState)
    /// Where on this page is its user? Answered with `place`.
    case place(request: Int, url: String)
    /// Opens a page; answered with `opened`. `scroll`: from 0, its top, to 1.
    case open(request: Int, url: String, scroll: Double?)
    /// Answers `goOn`: what became of it.
    case answer(request: Int, HostProblem?)
    /// What the extension said was not understood; for its log.
    case refused(String)
}

package struct HostState: Hashable, Sendable {
    package var problem: HostProblem?
    package var deviceName = ""
    package var offers: [ShownOffer] = []

    package init() {}
}

/// Why something is not there. The extension has words of its own for the codes that it knows.
package struct HostProblem: Hashable, Sendable, Encodable {
    /// As in `Failure.Code`, or `noDaemon`.
    package var code: String
    /// English.
    package var words: String

    package init(code: String, words: String) {
        self.code = code
        self.words = words
    }

    package init(_ failure: Failure) { self.init(code: "\(failure.code)", words: failure.reason) }
}

/// A line of the list.
package struct ShownOffer: Hashable, Sendable, Encodable {
    package enum Kind: String, Sendable, Encodable {
        case app
        case page
    }

    package var activity: String
    package var device: String
    package var deviceName: String
    package var deviceKind: String
    /// What continues it here.
    package var kind: Kind
    package var targetName: String
    /// An app would take it, and this browser could.
    package var browserToo: Bool
    package var title: String
    package var appName: String
    package var host: String?
    /// Milliseconds since 1970.
    package var since: Int64

    /// Nil for what nothing here shows to its user, and for what is offered from here.
    package init?(_ listed: ListedActivity) {
        guard !listed.isFromThisDevice else { return nil }
        switch listed.target {
        case .app: kind = .app
        case .webPage: kind = .page
        // A script prints its state; its page can be shown.
        case .script where listed.offer.hasWebPage: kind = .page
        case .script, .nothing: return nil
        }
        let offer = listed.offer
        activity = offer.activity.hex
        device = listed.device.description
        deviceName = listed.deviceName.text
        deviceKind = listed.deviceKind == .unspecified ? "device" : "\(listed.deviceKind)"
        targetName = listed.targetName.text
        browserToo = listed.isForBrowserToo
        title = offer.title?.text ?? ""
        appName = offer.appName.text
        host = offer.webHost?.name
        since = offer.since.milliseconds
    }
}

extension HostMessage: Encodable {
    private enum Key: String, CodingKey {
        case type, problem, deviceName, offers, request, url, scroll, words
    }

    package func encode(to encoder: any Encoder) throws {
        var form = encoder.container(keyedBy: Key.self)
        switch self {
        case .state(let state):
            try form.encode("state", forKey: .type)
            try form.encodeIfPresent(state.problem, forKey: .problem)
            try form.encode(state.deviceName, forKey: .deviceName)
            try form.encode(state.offers, forKey: .offers)
        case .place(let request, let url):
            try form.encode("place", forKey: .type)
            try form.encode(request, forKey: .request)
            try form.encode(url, forKey: .url)
        case .open(let request, let url, let scroll):
            try form.encode("open", forKey: .type)
            try form.encode(request, forKey: .request)
            try form.encode(url, forKey: .url)
            try form.encodeIfPresent(scroll, forKey: .scroll)
        case .answer(let request, let problem):
            try form.encode("answer", forKey: .type)
            try form.encode(request, forKey: .request)
            try form.encodeIfPresent(problem, forKey: .problem)
        case .refused(let words):
            try form.encode("refused", forKey: .type)
            try form.encode(words, forKey: .words)
        }
    }

    /// Header and JSON.
    package func framed() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try NativeFrame.framed(Array(try encoder.encode(self)))
    }
}
