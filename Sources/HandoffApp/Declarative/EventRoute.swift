// SPDX-License-Identifier: Apache-2.0

/// An open window that handles an event.
struct EventPlace<ID: Hashable & Sendable>: Hashable, Sendable {
    var id: ID
    var claim: EventClaim
    /// Its declaration's index, if the scene still waits for an event of this type.
    var openedBy: Int?
}

/// From `handlesExternalEvents(preferring:allowing:)` of a window's views.
enum EventClaim: Hashable, Sendable, CaseIterable {
    /// No view has the modifier.
    case unspecified
    case prefers
    case allows
    /// The event's subject contains none of the views' texts.
    case refuses
}

enum EventRoute<ID: Hashable & Sendable>: Hashable, Sendable {
    case window(ID)
    /// The declaration's index.
    case newScene(Int)
    /// The delegates receive it.
    case nowhere
}

extension EventRoute {
    /// Selects a window that prefers the event, or else allows it, or else a new scene of the first matching
    /// declaration, or else of the first without conditions. A scene is not opened twice for an event. If no scene can
    /// be opened, a window without claims takes the event. In an app with one scene, that scene takes everything.
    ///
    /// `windows` are front to back. `declarations` has nil for a declaration without conditions.
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
