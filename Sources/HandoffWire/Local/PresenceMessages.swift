// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage {
    package enum Presence: Hashable, Sendable {
        case setPresence(PresenceWord)
        case setSleep(Bool)
    }
}

package enum Presence: Int, Hashable, Sendable, CaseIterable {
    case here = 1
    case locked = 2
    case idle = 3
    /// Another user or the log-in screen has the screen.
    case elsewhere = 4

    package var isAway: Bool { self != .here }
}

package enum DesktopPart: Int, Hashable, Sendable, CaseIterable {
    case sessionBus = 1
    case notificationServer = 2
    case tray = 3
    /// A program that reports when the screen is locked.
    case screenLock = 4
}

package struct PresenceWord: Hashable, Sendable {
    package var presence: Presence
    /// Why the report may be wrong.
    package var problem: DisplayText?
    package var missing: Set<DesktopPart>

    package init(_ presence: Presence, problem: DisplayText? = nil, missing: Set<DesktopPart> = []) {
        self.presence = presence
        self.problem = problem
        self.missing = missing
    }
}

extension LocalMessage.Presence {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .setPresence(let word): .setPresence(PBSetPresence(word))
        case .setSleep(let isAsleep): .setSleep(.with { $0.asleep = isAsleep })
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .setPresence(let word): self = .setPresence(try PresenceWord(word))
        case .setSleep(let sleep): self = .setSleep(sleep.asleep)
        default: return nil
        }
    }
}

extension PBSetPresence {
    init(_ word: PresenceWord) {
        self.init()
        presence = PBPresence(rawValue: word.presence.rawValue) ?? .unspecified
        problem = word.problem?.text ?? ""
        missing = word.missing.map(\.rawValue).sorted().compactMap(PBDesktopPart.init)
    }
}

extension PresenceWord {
    init(_ message: PBSetPresence) throws(WireError) {
        // A newer version's value might mean that the user is away.
        guard let presence = Presence(rawValue: message.presence.rawValue) else {
            throw WireError(.unknownKind, "a presence of an unknown kind")
        }
        self.init(
            presence,
            problem: message.problem.isEmpty
                ? nil : DisplayText(cleaning: message.problem, limit: Limits.nameCharacters),
            missing: Set(message.missing.lazy.compactMap { DesktopPart(rawValue: $0.rawValue) }))
    }
}
