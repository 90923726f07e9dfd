// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffIcons
package import HandoffStrings
package import HandoffWire

package struct ActivitiesPage {
    /// Or until the next success. Also after its activity is gone, to be read.
    static let failureStays = Duration.seconds(60)

    enum Deed: Hashable, Sendable {
        case none
        /// An http or https URL. `opened` or `notOpened` follows.
        case open(String)
        case say(String)

        /// Nil: a state without a page that a browser may open.
        init?(_ outcome: ContinuationOutcome, _ strings: LocalizedStrings) {
            switch outcome.how {
            case .app, .pageShown: self = .say(strings(.continuedIn, outcome.targetName.text))
            case .state(let state):
                guard let page = state.webpageURL, WebPageURL.isAllowed(page) else { return nil }
                self = .open(page)
            }
        }
    }

    private enum Course {
        case underWay(after: Phase?, DocumentProgress?)
        /// `isFinal`: trying again does not help.
        case failed(Trouble, at: WallTime, isFinal: Bool = false)
    }

    /// Includes failed activities, and those that stay only while the list is pointed at.
    private var listed: [ActivityLine.ID: ListedActivity] = [:]
    private var offered: Set<ActivityLine.ID> = []
    private var all: [ListedActivity] = []
    /// Nil: not known yet.
    private var apps: [AppSummary]?
    private var receives = true
    /// Nil: not known yet.
    private var connected: Set<DeviceID>?
    private var courses: [ActivityLine.ID: Course] = [:]
    private var order = SteadyList<ActivityLine.ID>()
    private var isPointedAt = false

    init() {}

    var isEmpty: Bool { order.lines.isEmpty }
    package var isHeld: Bool { order.isPointedAt }

    func isSent(_ id: ActivityLine.ID) -> Bool { listed[id]?.isSent ?? false }

    // MARK: Events

    /// The complete list. Omits this device's activities, those for scripts, and those that the settings exclude here.
    mutating func offered(_ activities: [ListedActivity]) {
        all = activities
        arrange()
    }

    /// `receives`: activities may be continued here.
    mutating func installed(_ apps: [AppSummary]?, receives: Bool) {
        (self.apps, self.receives) = (apps, receives)
        arrange()
    }

    mutating func listed(_ devices: [DeviceSummary]) {
        connected = Set(devices.filter { $0.isConnected || $0.isThisDevice }.map(\.device))
    }

    mutating func pointed(_ isPointedAt: Bool) {
        self.isPointedAt = isPointedAt
        settle()
    }

    /// Nil if the activity is gone or under way, or if no app here continues it.
    mutating func pressed(_ id: ActivityLine.ID) -> StartContinuation? {
        guard let activity = listed[id], offered.contains(id), !isMissing(activity) else { return nil }
        if case .underWay? = courses[id] { return nil }
        courses[id] = .underWay(after: nil, nil)
        settle()
        let isPage =
            switch activity.target {
            case .app: false
            case .webPage, .script, .nothing: true
            }
        return StartContinuation(activity: id.activity, device: id.device, inBrowser: isPage)
    }

    mutating func heard(
        _ answer: Result<LocalMessage, Failure>, of id: ActivityLine.ID, strings: LocalizedStrings, at now: WallTime
    ) -> Deed {
        switch answer {
        case .success(.continuation(.progress(let time, _))):
            if case .underWay? = courses[id], time.phase != .willSave {
                courses[id] = .underWay(after: time.phase, nil)
            }
        case .success(.documents(.documentProgress(let progress))):
            if case .underWay(let phase, _)? = courses[id] { courses[id] = .underWay(after: phase, progress) }
        case .success(.continuation(.outcome(let outcome))): return ended(outcome, id, strings, at: now)
        case .success: failed(strings.trouble(Failure(.malformed, "")), id, at: now)
        case .failure(let failure): failed(strings.trouble(failure), id, at: now)
        }
        return .none
    }

    private mutating func ended(
        _ outcome: ContinuationOutcome, _ id: ActivityLine.ID, _ strings: LocalizedStrings, at now: WallTime
    ) -> Deed {
        guard let deed = Deed(outcome, strings) else {
            failed(strings.trouble(Failure(.noApp, "")), id, at: now)
            return .none
        }
        if case .say = deed { succeeded(id) }
        return deed
    }

    mutating func opened(_ id: ActivityLine.ID) { succeeded(id) }

    mutating func notOpened(_ id: ActivityLine.ID, strings: LocalizedStrings, at now: WallTime) {
        failed(Trouble(strings[.noBrowser]), id, at: now)
    }

    mutating func notDismissed(_ id: ActivityLine.ID, _ trouble: Trouble, at now: WallTime) {
        courses[id] = .failed(trouble, at: now, isFinal: true)
        settle()
    }

    private mutating func failed(_ trouble: Trouble, _ id: ActivityLine.ID, at now: WallTime) {
        courses[id] = .failed(trouble, at: now)
        settle()
    }

    /// Earlier failures are obsolete.
    private mutating func succeeded(_ id: ActivityLine.ID) {
        courses[id] = nil
        courses = courses.filter { if case .failed = $0.value { false } else { true } }
        settle()
    }

    mutating func forgetFailures(at now: WallTime) {
        let before = courses.count
        courses = courses.filter {
            if case .failed(_, let time, _) = $0.value { time.duration(to: now) < Self.failureStays } else { true }
        }
        if courses.count != before { settle() }
    }

    mutating func lostDaemon() {
        listed = [:]
        (all, offered, connected, courses) = ([], [], nil, [:])
        order = SteadyList()
        settle()
    }

    /// During a continuation, rows stay in place.
    private mutating func settle() {
        order.pointed(isPointedAt || courses.values.contains { if case .underWay = $0 { true } else { false } })
        arrange()
    }

    private mutating func arrange() {
        let shown = all.filter { $0.isForThisWindow || isMissing($0) }
        for activity in shown { listed[activity.id] = activity }
        var ids = shown.map(\.id)
        offered = Set(ids)
        // A failed row keeps its place.
        for (place, line) in order.lines.enumerated() where !offered.contains(line.id) {
            if case .failed? = courses[line.id] { ids.insert(line.id, at: min(place, ids.count)) }
        }
        order.offered(ids)
        let kept = Set(order.lines.map(\.id))
        listed = listed.filter { kept.contains($0.key) }
        courses = courses.filter { kept.contains($0.key) }
    }

    /// False if an installed app is only switched off or not trusted.
    private func isMissing(_ activity: ListedActivity) -> Bool {
        let offer = activity.offer
        guard let apps, receives, offer.bundle != nil, !offer.appName.isEmpty, !offer.hasWebPage else { return false }
        switch activity.target {
        case .app, .webPage: return false
        case .script, .nothing: break
        }
        return !activity.isFromThisDevice
            && !apps.contains { $0.team == offer.team && $0.activityTypes.contains(offer.type) }
    }

    // MARK: Text

    package func lines(
        _ strings: LocalizedStrings, at now: WallTime, pictures: (BundleID) -> AppPicture? = { _ in nil }
    ) -> [ActivityLine] {
        let names = DeviceNames(Array(listed.values))
        return order.lines.compactMap { line in
            listed[line.id].map {
                self.line($0, names.shown(line.id.device), $0.picture(ofApp: pictures), strings, now)
            }
        }
    }

    private func line(
        _ activity: ListedActivity, _ device: String, _ picture: AppPicture, _ strings: LocalizedStrings,
        _ now: WallTime
    ) -> ActivityLine {
        let id = activity.id
        let offer = activity.offer
        let title = strings.title(of: offer)
        let isGone = !offered.contains(id)
        let isAway = isGone && connected?.contains(id.device) == false
        let gone = isAway ? strings(.deviceAway, device) : strings[.gone]
        let (standing, details): (ActivityLine.Standing, String) =
            switch courses[id] {
            case .underWay(let phase, let document)?:
                (.underWay, strings.step(after: phase, document, device: device))
            case .failed(let trouble, _, let isFinal)?:
                (.failed(mayBeRetried: !isGone && !isFinal), isAway ? gone : trouble.text)
            case nil where isGone: (.gone, gone)
            case nil where isMissing(activity):
                (.missing, LocalizedStrings.line([strings(.notInstalled, offer.appName.text), device]))
            case nil: (.ready, strings.details(of: offer, on: device, at: now))
            }
        let isDismissible = activity.isSent && !isGone && standing != .underWay
        return ActivityLine(
            id: id, title: title, details: details, since: offer.since, picture: picture,
            emblem: DeviceLine.icon(activity.deviceKind), standing: standing, isSent: activity.isSent,
            buttonLabel: strings(.continueLabel, title, device),
            dismissLabel: isDismissible ? strings(.dismissLabel, title) : nil)
    }
}

extension ListedActivity {
    fileprivate var id: ActivityLine.ID { ActivityLine.ID(offer.activity, on: device) }

    fileprivate var isForThisWindow: Bool {
        guard !isFromThisDevice else { return false }
        return switch target {
        case .app, .webPage: true
        // A script would print the state, but the page can be shown.
        case .script: offer.hasWebPage
        case .nothing: false
        }
    }
}

extension LocalizedStrings {
    fileprivate func step(after phase: Phase?, _ document: DocumentProgress?, device: String) -> String {
        if let document {
            guard let total = document.total, total > 0 else { return self(.phaseDocumentOnly, document.name.text) }
            let share = Int(Double(min(document.bytes, total)) / Double(total) * 100)
            return self(.phaseDocument, document.name.text, "\(share)")
        }
        return switch phase {
        case nil: self[.phasePreparing]
        case .resolve?: self[.phaseStarting]
        case .launch?: self[.phaseAnnouncing]
        case .willContinue?, .willSave?: self(.phaseFetching, device)
        case .fetch?, .deliver?, .documents?: self[.phaseDelivering]
        }
    }
}
