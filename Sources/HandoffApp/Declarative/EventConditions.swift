// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// For which events a scene or a window is the place: texts that are looked for in what the event is about.
struct EventConditions: Hashable, Sendable {
    /// The text that stands for every event.
    static let anything = "*"

    var texts: Set<String>

    /// `subject`: what the event is about; nil if nothing in particular, which only `anything` can speak of.
    func match(_ subject: String?) -> Bool {
        if texts.contains(Self.anything) { return true }
        guard let subject else { return false }
        return texts.contains { text in
            !text.isEmpty && subject.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
        }
    }
}
