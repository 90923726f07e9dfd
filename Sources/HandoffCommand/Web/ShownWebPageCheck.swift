// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

struct ShownWebPageCheck: Renderable {
    struct Claim: Encodable {
        let app: String
        let appName: String
        let entry: String
        let counts: Bool
        let reason: String
        let steps: [String]

        init(_ claim: CheckedClaim) {
            app = claim.app.name
            appName = claim.appName.text
            entry = claim.entry
            counts = claim.counts
            reason = claim.reason
            steps = claim.steps
        }
    }

    struct Taker: Encodable {
        let kind: String
        let app: String?
        let name: String
    }

    let url: String
    let host: String?
    let problem: String?
    let claims: [Claim]
    let sites: [ShownSite]
    let taker: Taker
    let reason: String

    init(_ check: WebPageCheck, of url: String) {
        self.url = DisplayText(cleaning: url, limit: Limits.urlBytes).text
        host = check.host?.name
        problem = check.problem
        claims = check.claims.map(Claim.init)
        sites = check.sites.map(ShownSite.init)
        taker =
            switch check.taker {
            case .app(let bundle): Taker(kind: "app", app: bundle.name, name: check.takerName.text)
            case .browser: Taker(kind: "browser", app: nil, name: check.takerName.text)
            }
        reason = check.reason
    }

    func text(_ terminal: Terminal) -> String {
        var lines = problem.map { [$0] } ?? []
        var app: String?
        for claim in claims {
            if claim.app != app { lines.append("\(claim.appName) (\(claim.app))") }
            app = claim.app
            lines.append("  \(claim.counts ? "yes" : "no ")  \(claim.entry): \(claim.reason)")
            lines += claim.steps.map { "         \($0)" }
        }
        lines += sites.map { "site \($0.line)" }
        lines.append(taker.kind == "app" ? "\(taker.name) continues it: \(reason)" : reason)
        return lines.joined(separator: "\n")
    }
}
