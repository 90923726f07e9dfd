// SPDX-License-Identifier: Apache-2.0

/// An open window with a handler for an event, as far as the choice of the place for the event looks at it.
struct EventPlace<ID: Hashable & Sendable>: Hashable, Sendable {
    var id: ID
    var claim: EventClaim
    /// The declaration of its scene, by its index, if the scene was opened for an event of this type that has not come yet.
    var openedBy: Int?
}

/// What the views of a window say of an event, by `handlesExternalEvents(preferring:allowing:)`.
enum EventClaim: Hashable, Sendable, CaseIterable {
    /// None of them has the modifier.
    case unspecified
    case prefers
    case allows
    /// Nothing of what they name is in what the event is about.
    case refuses
}

/// Where an event goes.
enum EventRoute<ID: Hashable & Sendable>: Hashable, Sendable {
    case window(ID)
    /// A new scene of this declaration, by its index.
    case newScene(Int)
    /// No view is asked; it is the delegates'.
    case nowhere
}

extension EventRoute {
    /// A window that prefers the event, else one that allows it, else a new scene: of the first declaration whose conditions
    /// match, else of the first one without conditions. A scene that was opened for just this event is not opened once more.
    ///
    /// Where no other scene can be opened, a window whose views say nothing takes it. An app that has one scene only has that
    /// take everything, whatever its conditions say.
    ///
    /// - Parameters:
    ///   - windows: In front first.
    ///   - declarations: Whether the conditions match; nil for a declaration without any.
    ///   - isOneScene: The app can have one scene only.
    ///   - hasOpenWindow: With a handler or without.
    static func choice(
        among windows: [EventPlace<ID>], declarations: [Bool?], isOneScene: Bool, hasOpenWindow: Bool
    ) -> Self {
        if let window = windows.first(where: { $0.claim == .prefers }) ?? windows.first(where: { $0.claim == .allows })
        {
            return .window(window.id)
        }
        if isOneScene {
            if let window = windows.first { return .window(window.id) }
            if hasOpenWindow { return .nowhere }
        }
        let fitting = declarations.firstIndex(of: true) ?? declarations.firstIndex(of: nil)
        if let declaration = fitting ?? (isOneScene ? declarations.indices.first : nil) {
            let waiting = windows.first { $0.openedBy == declaration && $0.claim == .unspecified }
            return waiting.map { .window($0.id) } ?? .newScene(declaration)
        }
        return windows.first { $0.claim == .unspecified }.map { .window($0.id) } ?? .nowhere
    }
}
