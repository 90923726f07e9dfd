// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffIcons
package import HandoffStrings
package import HandoffWire

package struct ActivitiesPage {
    enum Deed: Hashable, Sendable {
        case none
        /// An http or https URL.
        case open(String)
        case say(String)
    }

    private enum Course {
        case underWay(after: Phase?, DocumentProgress?)
        case failed(Failure)
    }

    /// Includes those that stay only while the list is pointed at.
    private var listed: [ActivityLine.ID: ListedActivity] = [:]
    private var courses: [ActivityLine.ID: Course] = [:]
    private var order = SteadyList<ActivityLine.ID>()
    private var isPointedAt = false

    init() {}

    var isEmpty: Bool { order.lines.isEmpty }

    func isSent(_ id: ActivityLine.ID) -> Bool { listed[id]?.isSent ?? false }

    // MARK: Events

    /// The complete list. Omits this device's activities, those that cannot be continued, and those for scripts.
    mutating func offered(_ activities: [ListedActivity]) {
        let shown = activities.filter(\.isForThisWindow)
        for activity in shown { listed[activity.id] = activity }
        order.offered(shown.map(\.id))
        forget()
    }

    mutating func pointed(_ isPointedAt: Bool) {
        self.isPointedAt = isPointedAt
        settle()
    }

    /// Nil if the activity is gone or under way.
    mutating func pressed(_ id: ActivityLine.ID) -> StartContinuation? {
        // A line that is gone is not equal.
        guard let activity = listed[id], order.lines.contains(.init(id: id)) else { return nil }
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
        _ answer: Result<LocalMessage, Failure>, of id: ActivityLine.ID, strings: LocalizedStrings
    ) -> Deed {
        switch answer {
        case .success(.continuation(.progress(let time, _))):
            if case .underWay? = courses[id], time.phase != .willSave {
                courses[id] = .underWay(after: time.phase, nil)
            }
            return .none
        case .success(.documents(.documentProgress(let progress))):
            if case .underWay(let phase, _)? = courses[id] { courses[id] = .underWay(after: phase, progress) }
            return .none
        case .success(.continuation(.outcome(let outcome))): return ended(outcome, id, strings)
        case .success:
            courses[id] = .failed(Failure(.malformed, "the daemon sent an unexpected answer; its version may differ"))
        case .failure(let failure):
            courses[id] = .failed(failure)
            settle()
            // Its row may be gone with its device, so the failure is also a message. Cancellation is not: the user
            // chose another.
            return failure.code == .cancelled ? .none : .say(strings.trouble(failure).text)
        }
        settle()
        return .none
    }

    private mutating func ended(_ outcome: ContinuationOutcome, _ id: ActivityLine.ID, _ strings: LocalizedStrings)
        -> Deed
    {
        courses[id] = nil
        defer { settle() }
        switch outcome.how {
        case .app, .pageShown: return .say(strings(.continuedIn, outcome.targetName.text))
        case .state(let state):
            guard let page = state.webpageURL, WebPageURL.isAllowed(page) else {
                courses[id] = .failed(Failure(.noApp, "the activity has no web page"))
                return .none
            }
            return .open(page)
        }
    }

    mutating func lostDaemon() {
        listed = [:]
        courses = [:]
        order = SteadyList()
        settle()
    }

    /// During a continuation, rows stay in place.
    private mutating func settle() {
        order.pointed(isPointedAt || courses.values.contains { if case .underWay = $0 { true } else { false } })
        forget()
    }

    private mutating func forget() {
        let shown = Set(order.lines.map(\.id))
        listed = listed.filter { shown.contains($0.key) }
        courses = courses.filter { shown.contains($0.key) }
    }

    // MARK: Text

    /// `pictures`: of the apps here.
    package func lines(
        _ strings: LocalizedStrings, at now: WallTime, pictures: (BundleID) -> AppPicture? = { _ in nil }
    ) -> [ActivityLine] {
        let names = DeviceNames(Array(listed.values))
        return order.lines.compactMap { line in
            listed[line.id].map {
                self.line(line, $0, names.shown(line.id.device), $0.picture(ofApp: pictures), strings, now)
            }
        }
    }

    private func line(
        _ line: SteadyList<ActivityLine.ID>.Line, _ activity: ListedActivity, _ device: String,
        _ picture: AppPicture, _ strings: LocalizedStrings, _ now: WallTime
    ) -> ActivityLine {
        let offer = activity.offer
        let title = offer.knownTitle
        let standing: ActivityLine.Standing =
            switch courses[line.id] {
            case .underWay(let phase, let document)?: .underWay(strings.step(after: phase, document, device: device))
            case .failed(let failure)?: .failed(strings.trouble(failure))
            case nil: line.isGone ? .gone : .ready
            }
        let details =
            switch standing {
            case .ready:
                (offer.shownDetails(strings, at: now, between: [device])
                    + (activity.isSent ? [strings[.sentHere]] : [])).joined(separator: " · ")
            case .underWay(let step): step
            case .failed(let trouble): trouble.text
            case .gone: strings[.gone]
            }
        return ActivityLine(
            id: line.id, title: offer.shownTitle(strings), details: details, picture: picture,
            emblem: DeviceLine.icon(activity.deviceKind), standing: standing,
            buttonLabel: strings(.continueLabel, title, device),
            dismissLabel: activity.isSent && standing == .ready ? strings(.dismissLabel, title) : nil)
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

/// The pointer over the list. Rows stay in place while it moves, so that no click hits another row, and move again once
/// it rests.
package struct RestingPointer {
    static let patience = Duration.seconds(2)

    private var lastMotion: ContinuousClock.Instant?

    package init() {}

    package mutating func moved(at now: ContinuousClock.Instant) { lastMotion = now }

    package func hasRested(at now: ContinuousClock.Instant) -> Bool {
        lastMotion.map { $0.duration(to: now) >= Self.patience } ?? true
    }
}
