// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff

/// What the views of one window have declared. What one view declares a second time takes the place of the first.
struct HookTable<UIView: Hashable, ActivityAction, URLAction> {
    private struct Advertisement {
        let view: UIView
        let type: String
        var update: ActivityAction
    }

    private struct Continuation {
        let view: UIView
        let type: String
        var action: ActivityAction
    }

    private struct Opening {
        let view: UIView
        var action: URLAction
    }

    private struct Conditions {
        let view: UIView
        var preferring: EventConditions
        var allowing: EventConditions
    }

    /// What is done with an event.
    enum Action {
        case activity(ActivityAction)
        case url(URLAction, URL)
    }

    /// Those that are active, in the order in which they became it.
    private var advertisements: [Advertisement] = []
    /// These in the order in which the views declared them first.
    private var continuations: [Continuation] = []
    private var openings: [Opening] = []
    private var conditions: [Conditions] = []

    // MARK: Declaring

    /// Nil: the view has nothing to advertise now.
    mutating func advertise(_ type: String, by view: UIView, update: ActivityAction?) {
        let index = advertisements.firstIndex { $0.view == view && $0.type == type }
        switch (index, update) {
        case (let index?, let update?): advertisements[index].update = update
        case (let index?, nil): advertisements.remove(at: index)
        case (nil, let update?): advertisements.append(Advertisement(view: view, type: type, update: update))
        case (nil, nil): break
        }
    }

    mutating func `continue`(_ type: String, in view: UIView, action: ActivityAction) {
        if let index = continuations.firstIndex(where: { $0.view == view && $0.type == type }) {
            continuations[index].action = action
        } else {
            continuations.append(Continuation(view: view, type: type, action: action))
        }
    }

    mutating func openURLs(in view: UIView, action: URLAction) {
        if let index = openings.firstIndex(where: { $0.view == view }) {
            openings[index].action = action
        } else {
            openings.append(Opening(view: view, action: action))
        }
    }

    mutating func handleEvents(in view: UIView, preferring: Set<String>, allowing: Set<String>) {
        conditions.removeAll { $0.view == view }
        conditions.append(
            Conditions(
                view: view, preferring: EventConditions(texts: preferring), allowing: EventConditions(texts: allowing)))
    }

    // MARK: What follows

    /// What became active last, with what each view that advertises this type puts in, in the order in which they became
    /// active. Nil if nothing is to be advertised.
    var advertised: (type: String, updates: [ActivityAction])? {
        guard let type = advertisements.last?.type else { return nil }
        return (type, advertisements.filter { $0.type == type }.map(\.update))
    }

    /// Whether a view has a handler for activities of this type. A web page comes as a URL.
    func handles(activityType: String) -> Bool {
        if activityType == NSUserActivityTypeBrowsingWeb { return !openings.isEmpty }
        return continuations.contains { $0.type == activityType }
    }

    /// Those with a handler for it, in the order in which they are asked.
    func views(handling event: ExternalEvent) -> [UIView] {
        switch event.kind {
        case .activity(let type): continuations.filter { $0.type == type }.map(\.view)
        case .url: openings.map(\.view)
        }
    }

    /// Nil if the view has no handler for it, or is gone.
    func action(of view: UIView, for event: ExternalEvent) -> Action? {
        switch event.kind {
        case .activity(let type):
            continuations.first { $0.view == view && $0.type == type }.map { .activity($0.action) }
        case .url(let url): openings.first { $0.view == view }.map { .url($0.action, url) }
        }
    }

    /// What one view says counts for the window.
    func claim(on event: ExternalEvent) -> EventClaim {
        if conditions.isEmpty { return .unspecified }
        if conditions.contains(where: { $0.preferring.match(event.subject) }) { return .prefers }
        return conditions.contains { $0.allowing.match(event.subject) } ? .allows : .refuses
    }

    // MARK: Coming and going

    /// What these views have declared, which is no longer in this table.
    mutating func take(_ isTaken: (UIView) -> Bool) -> Self {
        var taken = self
        taken.keep(isTaken)
        keep { !isTaken($0) }
        return taken
    }

    /// Views that come after those that are there.
    mutating func add(_ other: Self) {
        advertisements += other.advertisements
        continuations += other.continuations
        openings += other.openings
        conditions += other.conditions
    }

    private mutating func keep(_ isKept: (UIView) -> Bool) {
        advertisements.removeAll { !isKept($0.view) }
        continuations.removeAll { !isKept($0.view) }
        openings.removeAll { !isKept($0.view) }
        conditions.removeAll { !isKept($0.view) }
    }
}
