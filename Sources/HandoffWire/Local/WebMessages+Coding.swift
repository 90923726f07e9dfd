// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage.WebLinks {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .listSites: .listSites(PBListSites())
        case .refreshSites(let host): .refreshSites(.with { $0.host = host?.name ?? "" })
        case .siteList(let sites): .siteList(.with { $0.sites = sites.map(PBSite.init) })
        case .checkWebPage(let url): .checkWebPage(.with { $0.url = url })
        case .webPageCheck(let check): .webPageCheck(PBWebPageCheck(check))
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .listSites: self = .listSites
        case .refreshSites(let refresh):
            self = .refreshSites(refresh.host.isEmpty ? nil : try WebHost(wire: refresh.host))
        case .siteList(let list): self = .siteList(try [SiteSummary](list.sites))
        case .checkWebPage(let check): self = .checkWebPage(check.url)
        case .webPageCheck(let check): self = .webPageCheck(try WebPageCheck(check))
        default: return nil
        }
    }
}

extension LocalMessage.WebChoices {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .listWebChoices: .listWebChoices(PBListWebChoices())
        case .chooseForHost(let host, let taker): .chooseForHost(PBChooseForHost(host, taker))
        case .webChoices(let choices): .webChoices(.with { $0.choices = choices.map(PBWebChoice.init) })
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .listWebChoices: self = .listWebChoices
        case .chooseForHost(let choose):
            self = .chooseForHost(try WebHost(wire: choose.host), try WebTaker?(choose.choice))
        case .webChoices(let list):
            var choices: [WebChoice] = []
            for choice in list.choices { choices.append(try WebChoice(choice)) }
            self = .webChoices(choices)
        default: return nil
        }
    }
}

extension PBSite {
    init(_ site: SiteSummary) {
        self.init()
        host = site.host.name
        inPrivateNetwork = site.mayBePrivate
        standing = PBSite.Standing(rawValue: site.standing.rawValue) ?? .unspecified
        reason = site.reason ?? ""
        if let answered = site.answered { answeredMs = answered.milliseconds }
        if let tried = site.tried { triedMs = tried.milliseconds }
        atRoot = site.isAtRoot
        isSigned = site.isSigned
        apps = site.apps.map(\.name)
    }
}

extension SiteSummary {
    init(_ message: PBSite) throws(WireError) {
        guard let standing = Standing(rawValue: message.standing.rawValue) else {
            throw WireError(.unknownKind, "a site in a state that this version does not know")
        }
        var apps: [BundleID] = []
        for app in message.apps { apps.append(try BundleID(app)) }
        self.init(
            host: try WebHost(wire: message.host), mayBePrivate: message.inPrivateNetwork, standing: standing,
            reason: message.reason.isEmpty ? nil : message.reason,
            answered: message.hasAnsweredMs ? WallTime(milliseconds: message.answeredMs) : nil,
            tried: message.hasTriedMs ? WallTime(milliseconds: message.triedMs) : nil, isAtRoot: message.atRoot,
            isSigned: message.isSigned, apps: apps)
    }
}

extension [SiteSummary] {
    init(_ messages: [PBSite]) throws(WireError) {
        self.init()
        for message in messages { append(try SiteSummary(message)) }
    }
}

extension PBWebPageCheck {
    init(_ check: WebPageCheck) {
        self.init()
        host = check.host?.name ?? ""
        problem = check.problem ?? ""
        claims = check.claims.map(PBCheckedClaim.init)
        sites = check.sites.map(PBSite.init)
        switch check.taker {
        case .app(let bundle): target = .appBundle(bundle.name)
        case .browser: target = .browser(true)
        }
        targetName = check.takerName.text
        reason = check.reason
    }
}

extension WebPageCheck {
    init(_ message: PBWebPageCheck) throws(WireError) {
        let taker: WebTaker
        switch message.target {
        case .appBundle(let bundle)?: taker = .app(try BundleID(bundle))
        case .browser?: taker = .browser
        case nil: throw WireError(.missingField, "a check of a web page without an end")
        }
        var claims: [CheckedClaim] = []
        for claim in message.claims { claims.append(try CheckedClaim(claim)) }
        self.init(
            host: message.host.isEmpty ? nil : try WebHost(wire: message.host),
            problem: message.problem.isEmpty ? nil : message.problem, claims: claims,
            sites: try [SiteSummary](message.sites), taker: taker, takerName: .name(message.targetName),
            reason: message.reason)
    }
}

extension PBCheckedClaim {
    init(_ claim: CheckedClaim) {
        self.init()
        appBundle = claim.app.name
        appName = claim.appName.text
        entry = claim.entry
        counts = claim.counts
        reason = claim.reason
        steps = claim.steps
    }
}

extension CheckedClaim {
    init(_ message: PBCheckedClaim) throws(WireError) {
        self.init(
            app: try BundleID(message.appBundle), appName: .name(message.appName), entry: message.entry,
            counts: message.counts, reason: message.reason, steps: message.steps)
    }
}

extension PBChooseForHost {
    init(_ host: WebHost, _ taker: WebTaker?) {
        self.init()
        self.host = host.name
        switch taker {
        case .app(let bundle)?: choice = .appBundle(bundle.name)
        case .browser?: choice = .browser(true)
        case nil: choice = .forget(true)
        }
    }
}

extension WebTaker? {
    init(_ choice: PBChooseForHost.OneOf_Choice?) throws(WireError) {
        switch choice {
        case .appBundle(let bundle)?: self = .app(try BundleID(bundle))
        case .browser?: self = .browser
        case .forget?: self = nil
        case nil: throw WireError(.missingField, "a choice of nothing")
        }
    }
}

extension PBWebChoice {
    init(_ choice: WebChoice) {
        self.init()
        host = choice.host.name
        switch choice.taker {
        case .app(let bundle): self.choice = .appBundle(bundle.name)
        case .browser: self.choice = .browser(true)
        }
    }
}

extension WebChoice {
    init(_ message: PBWebChoice) throws(WireError) {
        switch message.choice {
        case .appBundle(let bundle)?: self.init(try WebHost(wire: message.host), .app(try BundleID(bundle)))
        case .browser?: self.init(try WebHost(wire: message.host), .browser)
        case nil: throw WireError(.missingField, "a choice of nothing")
        }
    }
}
