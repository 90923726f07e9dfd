// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

struct ShownSite: Listed {
    static let columns: [Table.Column] = ["SITE", "STATE", "ANSWERED", "APPS", "REASON"]

    let host: String
    let state: String
    let reason: String?
    let answered: String?
    let tried: String?
    let atRoot: Bool
    let signed: Bool
    let privateNetwork: Bool
    let apps: [String]
    private let words: String
    private let answeredLocal: String?

    enum CodingKeys: CodingKey { case host, state, reason, answered, tried, atRoot, signed, privateNetwork, apps }

    init(_ site: SiteSummary) {
        host = site.host.name
        (state, words) =
            switch site.standing {
            case .notAsked: ("notAsked", "not asked yet")
            case .answered: ("answered", "answered")
            case .kept: ("kept", "unreachable, its last answer is used")
            case .unreachable: ("unreachable", "unreachable")
            case .refused: ("refused", "no file")
            case .surplus: ("surplus", "not asked, too many sites")
            }
        reason = site.reason
        answered = site.answered?.iso8601
        answeredLocal = site.answered?.local
        tried = site.tried?.iso8601
        atRoot = site.isAtRoot
        signed = site.isSigned
        privateNetwork = site.mayBePrivate
        apps = site.apps.map(\.name)
    }

    var cells: [String] {
        [
            host + (privateNetwork ? " (development)" : ""), words, answeredLocal ?? "-",
            apps.joined(separator: ", "), reason ?? "-",
        ]
    }

    /// `example.com: answered 2026-03-01 13:00, signed`
    var line: String {
        var line = "\(cells[0]): \(words)"
        if let answeredLocal { line += " \(answeredLocal)" }
        if signed { line += ", signed" }
        if atRoot { line += ", at the root of the site" }
        return reason.map { "\(line) (\($0))" } ?? line
    }
}

extension Listing<ShownSite> {
    init(sites: [SiteSummary]) {
        self.init(sites.map(ShownSite.init), ifEmpty: "no sites: no installed app of a trusted team claims one")
    }
}
