// SPDX-License-Identifier: Apache-2.0

import Foundation
import Handoff

/// The declarations of one window's views. Repeating a declaration replaces it.
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

    enum Action {
        case activity(ActivityAction)
        case url(URLAction, URL)
    }

    private var advertisements: [Advertisement] = []
    /// By first declaration.
    private var continuations: [Continuation] = []
    private var openings: [Opening] = []
    private var conditions: [Conditions] = []

    // MARK: Declaring

    /// `update`: nil ends the advertisement.
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

    // MARK: Results

    /// The type that became active last, with its views' updates in the order of activation.
    var advertised: (type: String, updates: [ActivityAction])? {
        guard let type = advertisements.last?.type else { return nil }
        return (type, advertisements.filter { $0.type == type }.map(\.update))
    }

    /// Web pages arrive as URLs.
    func handles(activityType: String) -> Bool {
        if activityType == NSUserActivityTypeBrowsingWeb { return !openings.isEmpty }
        return continuations.contains { $0.type == activityType }
    }

    /// In the order of calls.
    func views(handling event: ExternalEvent) -> [UIView] {
        switch event.kind {
        case .activity(let type): continuations.filter { $0.type == type }.map(\.view)
        case .url: openings.map(\.view)
        }
    }

    /// Nil without a handler, or if the view has been removed.
    func action(of view: UIView, for event: ExternalEvent) -> Action? {
        switch event.kind {
        case .activity(let type):
            continuations.first { $0.view == view && $0.type == type }.map { .activity($0.action) }
        case .url(let url): openings.first { $0.view == view }.map { .url($0.action, url) }
        }
    }

    func claim(on event: ExternalEvent) -> EventClaim {
        if conditions.isEmpty { return .unspecified }
        if conditions.contains(where: { $0.preferring.match(event.subject) }) { return .prefers }
        return conditions.contains { $0.allowing.match(event.subject) } ? .allows : .refuses
    }

    // MARK: Moving

    mutating func take(_ isTaken: (UIView) -> Bool) -> Self {
        var taken = self
        taken.keep(isTaken)
        keep { !isTaken($0) }
        return taken
    }

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

struct EventConditions: Hashable, Sendable {
    static let anything = "*"

    var texts: Set<String>

    /// Only `anything` matches nil.
    func match(_ subject: String?) -> Bool {
        if texts.contains(Self.anything) { return true }
        guard let subject else { return false }
        return texts.contains { text in
            !text.isEmpty && subject.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
        }
    }
}
