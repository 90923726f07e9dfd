// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Follows an offer from its app to this device.
final class OfferExplainer {
    /// For the other device's answer.
    static let deadline: Duration = .seconds(5)
    static let activitiesExplained = 16

    private let boards: AdvertisingService
    private let inbox: InboxService
    private let sessions: any PeerMessaging
    private let membership: any Membership
    private let apps: AppsService
    private let launching: LaunchingService
    private let policy: PolicyService
    private let presence: PresenceService

    init(
        boards: AdvertisingService, inbox: InboxService, sessions: any PeerMessaging, membership: any Membership,
        apps: AppsService, launching: LaunchingService, policy: PolicyService, presence: PresenceService
    ) {
        self.boards = boards
        self.inbox = inbox
        self.sessions = sessions
        self.membership = membership
        self.apps = apps
        self.launching = launching
        self.policy = policy
        self.presence = presence
    }

    func explain(_ question: OfferQuestion, then: @escaping (Result<[Finding], Failure>) -> Void) {
        guard membership.account != nil else {
            return then(.success([.noAccount]))
        }
        do throws(Failure) {
            let device = try DeviceChoice.one(question.device, of: membership.members)
            guard device != membership.device else { return then(.success(offered(question.type) + [connections])) }
            explain(question, of: device) { then(.success($0)) }
        } catch {
            then(.failure(error))
        }
    }

    // MARK: This device's activities

    private func offered(_ type: ActivityType) -> [Finding] {
        var findings = policy.obstacle(to: .advertising, of: nil).map { [Finding(off: $0)] } ?? []
        if let absence = presence.word.presence.finding { findings.append(absence) }
        let activities = boards.ownActivities(of: type).prefix(Self.activitiesExplained)
        guard activities.isEmpty else { return findings + activities.map(Finding.init) }
        guard type != .browsingWeb else {
            let seen = "no page is shown in a browser with Handoff's extension, or its window is private"
            return findings + [Finding(.offer, .failed, seen, advice: "run: handoff browser status")]
        }
        let declaring = declaring(type)
        guard !declaring.isEmpty else {
            return findings + [Finding(.offer, .failed, "no program offers it, and no installed app declares it")]
        }
        return findings
            + declaring.prefix(Self.activitiesExplained).map { app in
                launching.isRunning(app.bundle)
                    ? Finding(
                        .offer, .failed, "\(app.name) runs, but has no current activity of this type",
                        advice: "turn to it; its code makes an activity current with becomeCurrent()")
                    : Finding(.offer, .failed, "\(app.name) does not run", advice: "open it")
            }
    }

    /// By name.
    private func declaring(_ type: ActivityType) -> [InstalledApp] {
        apps.all.filter { $0.activityTypes.contains(type) }.sorted { $0.name.text < $1.name.text }
    }

    private var connections: Finding {
        let names = sessions.connected.compactMap { membership.member($0)?.name.text }.sorted()
        return names.isEmpty
            ? Finding(.device, .failed, "no other device is connected", advice: "run: handoff doctor")
            : Finding(.device, .passed, "connected: \(names.joined(separator: ", "))")
    }

    // MARK: Another device's activities

    private func explain(_ question: OfferQuestion, of device: DeviceID, then: @escaping ([Finding]) -> Void) {
        let name = membership.member(device)?.name.text ?? device.short
        var findings = policy.obstacle(to: .receiving, of: nil).map { [Finding(off: $0)] } ?? []
        if let activity = question.activity, let sent = inbox.sentOffer(activity, from: device) {
            findings.append(Finding(.offer, .passed, "\(name) sent it here, so it stays without \(name)"))
            return then(findings + [continuation(of: sent)])
        }
        guard sessions.connected.contains(device) else {
            let reason = sessions.problem(of: device).map { ": \($0.reason)" } ?? ""
            let away = Finding(
                .device, .failed, "\(name) is not connected\(reason)", advice: "run: handoff doctor")
            return then(findings + [away])
        }
        findings.append(Finding(.device, .passed, "\(name) is connected"))
        sessions.request(.advertising(.offerQuestion(question.type)), to: device, deadline: Self.deadline) {
            [weak self] answer in
            guard let self else { return }
            findings.append(Finding(answer, of: device, named: name, about: question.type))
            let offers = boards.peerOffers(of: device).filter {
                $0.type == question.type && (question.activity ?? $0.activity) == $0.activity
            }
            guard offers.isEmpty else {
                return then(findings + offers.prefix(Self.activitiesExplained).map(continuation))
            }
            if case .success(.advertising(.offerAnswer(let answer))) = answer, answer.offered > 0 {
                let seen =
                    question.activity == nil
                    ? "none of them has arrived here" : "this activity is not one of them any longer"
                findings.append(Finding(.offer, .failed, seen, advice: "try again in a moment"))
            }
            then(findings + [declaration(question.type)].compactMap(\.self))
        }
    }

    private func continuation(of offer: Offer) -> Finding {
        let resolution = launching.resolve(offer, wish: Resolution.Wish())
        let what = Finding.phrase(offer.title, of: offer.appName)
        let verb =
            switch resolution.target {
            case .app, .webPage:
                resolution.targetName.isEmpty ? "continues here" : "continues in \(resolution.targetName)"
            case .script: "continues here in a script only"
            case .nothing: "cannot continue here"
            }
        return Finding(
            .app, resolution.isNothing ? .failed : .passed, "\(what) \(verb): \(resolution.reason)",
            advice: resolution.advice)
    }

    /// Nil for pages, which any device continues.
    private func declaration(_ type: ActivityType) -> Finding? {
        guard type != .browsingWeb else { return nil }
        let names = declaring(type).map(\.name.text)
        return names.isEmpty
            ? Finding(.app, .failed, "no app that is installed here declares this activity type")
            : Finding(
                .app, .passed, "declared here by \(names.prefix(Self.activitiesExplained).joined(separator: ", "))")
    }
}

extension Finding {
    fileprivate static func phrase(_ title: DisplayText?, of app: DisplayText) -> String {
        title.map { "\($0) (\(app))" } ?? "an activity of \(app)"
    }

    fileprivate init(_ activity: OwnActivity) {
        let what = Self.phrase(activity.title, of: activity.app)
        switch activity.hindrance {
        case nil: self.init(.offer, .passed, "\(what) is offered")
        case .hidden?: self.init(.offer, .failed, "\(what) is hidden while you are away")
        case .notEligible?:
            self.init(
                .offer, .failed, "the current activity of \(activity.app) is not eligible for Handoff",
                advice: "its code decides that with isEligibleForHandoff")
        case .noTeam?:
            self.init(
                .offer, .failed, "\(what) is not offered, because its team is not trusted on this device",
                advice: "run: handoff team trust")
        case .switchedOff(let off)?:
            self.init(.offer, .failed, "\(what) is not offered: \(off.reason)", advice: off.advice)
        case .expired?: self.init(.offer, .failed, "\(what) has expired", advice: "turn to it again, or change it")
        }
    }

    /// A member may choose any name and type, and the user may paste the advised command into a shell.
    fileprivate init(
        _ answer: Swift.Result<PeerMessage, Failure>, of device: DeviceID, named name: String, about type: ActivityType
    ) {
        switch answer {
        case .success(.advertising(.offerAnswer(let answer))) where answer.offered > 0:
            let number = answer.offered == 1 ? "1 such activity" : "\(answer.offered) such activities"
            self.init(.offer, .passed, "\(name) offers \(number)")
        case .success(.advertising(.offerAnswer(let answer))):
            switch answer.obstacle {
            case .switchedOff?:
                self.init(
                    .offer, .failed, "\(name) offers nothing, because offering is switched off there",
                    advice: "run on it: handoff policy on")
            case .byAdministrator?:
                self.init(.offer, .failed, "\(name) offers nothing, because its administrator switched offering off")
            case .locked?: self.init(.offer, .failed, "\(name) offers nothing, because its screen is locked")
            case .idle?:
                self.init(.offer, .failed, "\(name) offers nothing, because it was not used for a while")
            case .elsewhere?:
                self.init(.offer, .failed, "\(name) offers nothing, because another user has its screen")
            case nil:
                let word = (try? BundleID(type.name)) == nil ? "TYPE" : type.name
                self.init(
                    .offer, .failed,
                    "\(name) offers no such activity: none is current, eligible for Handoff and switched on there",
                    advice: "run on it: handoff doctor --why \(device.short) \(word)")
            }
        case .success:
            self.init(.offer, .unknown, "\(name) gave an unexpected answer about what it offers")
        case .failure(let failure) where failure.code == .unimplemented:
            self.init(
                .offer, .unknown, "\(name) has an older version of Handoff, which does not say why it offers nothing",
                advice: "update Handoff there")
        case .failure(let failure):
            self.init(.offer, .unknown, "\(name) does not say what it offers: \(failure.reason)")
        }
    }
}
