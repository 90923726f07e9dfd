// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffClient
import HandoffCore
import HandoffStrings
import HandoffWire

/// Desktop Notifications Specification, 1.2.
struct NoticeMessage: Hashable {
    static let action = "continue"
    static let fewerAction = "fewer"
    private static let command = "handoff activity continue"

    private(set) var summary: String
    private(set) var text: String
    private(set) var actions: [String] = []
    let hints: [String: BusValue]

    /// `icon`: a `file:` URL or an icon name. `picture`: `iiibiiay`, preferred.
    init(
        _ notice: Notice, for server: ServerProfile, icon: String?, picture: BusValue? = nil,
        _ strings: LocalizedStrings
    ) {
        (summary, text) = notice.said(in: strings)
        if notice.canBeContinued {
            let label = strings[notice.subject == .offer ? .continueHere : .tryAgain]
            if server.hasActions {
                actions = (server.hasDefault ? [NotificationServer.defaultAction, label] : []) + [Self.action, label]
            }
            if !server.hasButtons { text += "\n" + Self.help(for: server, strings) }
        }
        if notice.isFirst, server.hasButtons { actions += [Self.fewerAction, strings[.fewerOfThese]] }
        if !server.hasBody {
            summary = LocalizedStrings.line([summary] + text.split(separator: "\n").map(String.init), separator: " – ")
            text = ""
        }
        if server.hasMarkup { text = text.escapedForMarkup }
        // Desktops may hide low urgency, but the sender of an activity is waiting.
        let isPassing = notice.isQuiet && !notice.activity.isSent
        var hints: [String: BusValue] = [
            "desktop-entry": .string(NotificationServer.desktopEntry), "category": .string("device"),
            "urgency": .byte(isPassing || notice.isUpdate ? 0 : 1),
        ]
        if isPassing { hints["transient"] = .boolean(true) }
        if notice.isQuiet || notice.isUpdate { hints["suppress-sound"] = .boolean(true) }
        if let icon { hints["image-path"] = .string(icon) }
        if let picture { hints["image-data"] = picture }
        self.hints = hints
    }

    private static func help(for server: ServerProfile, _ strings: LocalizedStrings) -> String {
        switch server.click {
        case .left? where server.hasActions: strings[.clickToContinue]
        case .middle? where server.hasActions: strings[.middleClickToContinue]
        case .left?, .middle?, .unknown?, nil: strings(.terminalToContinue, command)
        }
    }

    func body(replacing id: UInt32?) -> [BusValue] {
        NotificationServer.arguments(summary, text, actions: actions, hints: hints, replacing: id)
    }
}

extension Notice {
    /// Titles and names are `DisplayText`, so safe on one line.
    fileprivate func said(in strings: LocalizedStrings) -> (summary: String, text: String) {
        let offer = activity.offer
        let title = offer.title.flatMap { $0.isEmpty ? nil : $0.text } ?? offer.webHost?.name ?? offer.appName.text
        let place = strings(.onDevice, offer.appName.text, activity.deviceName.text)
        return switch subject {
        case .offer: (title, place)
        case .failure(let failure, _): (strings(.couldNotContinue, title), "\(place)\n\(advice(failure, strings))")
        case .notSaved(let reason): (strings(.settingsNotWritten, reason), place)
        }
    }

    private func advice(_ failure: Failure, _ strings: LocalizedStrings) -> String {
        guard failure != .noDaemon else { return strings[.problemNoDaemon] }
        let reason = DisplayText(cleaning: failure.reason, limit: Limits.reasonCharacters)
        return strings.trouble(Failure(failure.code, reason.text)).text
    }
}

struct Notice: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case offer
        /// Can be retried if the activity is still offered.
        case failure(Failure, mayBeRetried: Bool)
        /// Why the device could not be silenced.
        case notSaved(String)
    }

    var activity: ListedActivity
    var subject: Subject
    /// No sound and, unless its activity was sent, not kept.
    var isQuiet: Bool
    /// Follows a notification that already alerted the user.
    var isUpdate = false
    /// Has an action that switches notifications of its device off.
    var isFirst = false

    init(_ activity: ListedActivity, _ subject: Subject = .offer, isQuiet: Bool = false) {
        self.activity = activity
        self.subject = subject
        self.isQuiet = isQuiet
    }

    var key: OfferKey { OfferKey(activity) }

    var canBeContinued: Bool {
        switch subject {
        case .offer: true
        case .failure(_, let mayBeRetried): mayBeRetried
        case .notSaved: false
        }
    }

    func says(theSameAs other: Notice) -> Bool {
        subject == other.subject && key == other.key && activity.offer.title == other.activity.offer.title
            && activity.deviceName == other.activity.deviceName && activity.target == other.activity.target
            && activity.targetName == other.activity.targetName
    }
}

struct OfferKey: Hashable, Sendable {
    var device: DeviceID
    var activity: ActivityID

    init(device: DeviceID, activity: ActivityID) {
        self.device = device
        self.activity = activity
    }

    init(_ activity: ListedActivity) {
        self.init(device: activity.device, activity: activity.offer.activity)
    }
}
