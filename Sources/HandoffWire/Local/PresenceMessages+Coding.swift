// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage.Presence {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .setPresence(let word): .setPresence(PBSetPresence(word))
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .setPresence(let word): self = .setPresence(try PresenceWord(word))
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
        // An unknown value of a newer version might mean that the user is away; the daemon must not guess.
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
