// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension PBTeam {
    init(_ team: Team) {
        self.init()
        switch team {
        case .personal(let account): personal = account.bytes.data
        case .developer(let team): developer = PBDeveloperTeam(team)
        case .system(let account): system = account.bytes.data
        }
    }
}

extension Team {
    init(_ message: PBTeam) throws(WireError) {
        switch message.kind {
        case .personal(let account)?: self = .personal(try AccountID(bytes: account))
        case .developer(let team)?: self = .developer(try DeveloperTeam(team))
        case .system(let account)?: self = .system(try AccountID(bytes: account))
        case nil: throw WireError(.missingField, "the team is missing, or of a kind that this version does not know")
        }
    }
}

extension PBDeveloperTeam {
    init(_ team: DeveloperTeam) {
        self.init()
        id = team.id.name
        key = team.key.bytes.data
    }
}

extension DeveloperTeam {
    init(_ message: PBDeveloperTeam) throws(WireError) {
        self.init(id: try TeamID(message.id), key: try TeamFingerprint(bytes: message.key))
    }
}

extension PBOffer {
    init(_ offer: Offer) {
        self.init()
        activity = offer.activity.bytes.data
        activityType = offer.type.name
        if let text = offer.title?.text { title = text }
        bundle = offer.bundle?.name ?? ""
        appName = offer.appName.text
        team = PBTeam(offer.team)
        supportsStreams = offer.supportsStreams
        hasWebPage_p = offer.hasWebPage
        sinceMs = offer.since.milliseconds
        if let expires = offer.expires { expiresMs = expires.milliseconds }
        if let saved = offer.saved { savedMs = saved.milliseconds }
        webHost = offer.webHost?.name ?? ""
    }
}

extension Offer {
    /// Throws `.malformed` for an app of the system programs, or a system program of a team.
    init(_ message: PBOffer) throws(WireError) {
        self.init(
            activity: try ActivityID(bytes: message.activity), type: try ActivityType(message.activityType),
            title: message.hasTitle ? DisplayText(cleaning: message.title) : nil,
            bundle: message.bundle.isEmpty ? nil : try BundleID(appOrProgram: message.bundle),
            appName: DisplayText(cleaning: message.appName, limit: Limits.nameCharacters), team: try Team(message.team),
            supportsStreams: message.supportsStreams, hasWebPage: message.hasWebPage_p,
            since: WallTime(milliseconds: message.sinceMs),
            expires: message.hasExpiresMs ? WallTime(milliseconds: message.expiresMs) : nil,
            saved: message.hasSavedMs ? WallTime(milliseconds: message.savedMs) : nil,
            webHost: message.webHost.isEmpty ? nil : try WebHost(wire: message.webHost))
        guard team.isOfSystemPrograms == (bundle?.isSystemProgram ?? false) else {
            throw WireError(.malformed, "an app cannot be one of the system programs, nor have one in its team")
        }
    }
}

extension PBActivityState {
    init(_ state: ActivityState) {
        self.init()
        activityType = state.type.name
        if let text = state.title { title = text }
        userInfo = state.userInfo.data
        if let url = state.webpageURL { webpageURL = url }
        if let url = state.referrerURL { referrerURL = url }
        if let date = state.expirationDate { expirationDate = date }
        if let identifier = state.targetContentIdentifier { targetContentIdentifier = identifier }
        if let identifier = state.persistentIdentifier { persistentIdentifier = identifier }
        keywords = state.keywords
        requiredUserInfoKeys = state.requiredUserInfoKeys ?? []
        hasRequiredUserInfoKeys_p = state.requiredUserInfoKeys != nil
        supportsStreams = state.supportsStreams
        let wish = PBSearchWish(state)
        if wish != PBSearchWish() { search = wish }
    }
}

extension PBSearchWish {
    fileprivate init(_ state: ActivityState) {
        self.init()
        onDevice = state.isEligibleForSearch
        inPublic = state.isEligibleForPublicIndexing
        asPrediction = state.isEligibleForPrediction
        contentAttributes = state.contentAttributes.data
    }
}

extension ActivityState {
    init(_ message: PBActivityState) throws(WireError) {
        guard message.userInfo.count <= Limits.userInfoBytes else {
            throw WireError(.tooLarge, "userInfo of \(message.userInfo.count) bytes, at most \(Limits.userInfoBytes)")
        }
        guard message.search.contentAttributes.count <= Limits.contentAttributesBytes else {
            throw WireError(.limitReached, "content attributes have at most \(Limits.contentAttributesBytes) bytes")
        }
        guard message.title.utf8.count <= Limits.titleBytes else {
            throw WireError(.limitReached, "a title has at most \(Limits.titleBytes) bytes")
        }
        guard message.keywords.count <= Limits.keywords, message.requiredUserInfoKeys.count <= Limits.keywords else {
            throw WireError(.limitReached, "more than \(Limits.keywords) keywords or required keys")
        }
        for url in [message.webpageURL, message.referrerURL] where url.utf8.count > Limits.urlBytes {
            throw WireError(.limitReached, "a URL has at most \(Limits.urlBytes) bytes")
        }
        if message.hasWebpageURL, !WebPageURL.isAllowed(message.webpageURL) {
            throw WireError(.malformed, "a webpageURL is http or https")
        }
        self.init(
            type: try ActivityType(message.activityType), title: message.hasTitle ? message.title : nil,
            userInfo: Array(message.userInfo), webpageURL: message.hasWebpageURL ? message.webpageURL : nil,
            referrerURL: message.hasReferrerURL ? message.referrerURL : nil,
            expirationDate: message.hasExpirationDate ? message.expirationDate : nil,
            targetContentIdentifier: message.hasTargetContentIdentifier ? message.targetContentIdentifier : nil,
            persistentIdentifier: message.hasPersistentIdentifier ? message.persistentIdentifier : nil,
            keywords: message.keywords,
            requiredUserInfoKeys: message.hasRequiredUserInfoKeys_p ? message.requiredUserInfoKeys : nil,
            supportsStreams: message.supportsStreams, isEligibleForSearch: message.search.onDevice,
            isEligibleForPublicIndexing: message.search.inPublic, isEligibleForPrediction: message.search.asPrediction,
            contentAttributes: Array(message.search.contentAttributes))
    }
}

extension PBFailure {
    init(_ failure: Failure) {
        self.init()
        code = PBFailureCode(rawValue: failure.code.rawValue) ?? .unspecified
        reason = DisplayText(cleaning: failure.reason, limit: Limits.reasonCharacters).text
    }
}

extension Failure {
    init(_ message: PBFailure) {
        self.init(
            Code(rawValue: message.code.rawValue) ?? .unspecified,
            DisplayText(cleaning: message.reason, limit: Limits.reasonCharacters).text)
    }
}
