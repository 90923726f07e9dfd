// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// The beginning of an activity's hexadecimal id, as people type it.
struct ActivityPrefix {
    let text: String

    /// The first of those that are meant. `key`: what they are to have in common. `nothing` and `several`: the beginnings of
    /// sentences about none and more than one.
    func first<Item, Key: Hashable>(
        of items: [Item], by id: (Item) -> ActivityID, telling key: (Item) -> Key, nothing: String, several: String,
        advice: String
    ) throws(CommandFailure) -> Item {
        let found = items.filter { id($0).hex.hasPrefix(text.lowercased()) }
        guard let first = found.first else {
            throw CommandFailure(
                .failed, code: "activityGone", "\(nothing) has an id that begins with \(text)", advice: advice)
        }
        guard found.allSatisfy({ key($0) == key(first) }) else {
            throw .usage("\(several) have an id that begins with \(text); give more of it")
        }
        return first
    }
}
