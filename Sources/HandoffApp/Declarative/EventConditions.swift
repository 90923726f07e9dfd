// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The texts that an event's subject must contain for a scene or a window to receive the event.
struct EventConditions: Hashable, Sendable {
    static let anything = "*"

    var texts: Set<String>

    /// `subject`: the event's subject; nil if it has none, which only `anything` matches.
    func match(_ subject: String?) -> Bool {
        if texts.contains(Self.anything) { return true }
        guard let subject else { return false }
        return texts.contains { text in
            !text.isEmpty && subject.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
        }
    }
}
