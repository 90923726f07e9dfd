// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// The beginning of an activity's hexadecimal id, as typed.
struct ActivityPrefix {
    let text: String

    func first<Item>(
        of items: [Item], by id: (Item) -> ActivityID, nothing: String, several: String, advice: String
    ) throws(CommandFailure) -> Item {
        try matches(in: items, by: id, nothing: nothing, several: several, advice: advice)[0]
    }

    /// All matches, at least one, which share one id. `nothing` and `several` begin the error messages.
    func matches<Item>(
        in items: [Item], by id: (Item) -> ActivityID, nothing: String, several: String, advice: String
    ) throws(CommandFailure) -> [Item] {
        let found = items.filter { id($0).hex.hasPrefix(text.lowercased()) }
        guard let first = found.first else {
            throw CommandFailure(
                .failed, code: "activityGone", "\(nothing) has an id that begins with \(text)", advice: advice)
        }
        guard found.allSatisfy({ id($0) == id(first) }) else {
            throw .usage("\(several) have an id that begins with \(text); give more of it")
        }
        return found
    }
}
