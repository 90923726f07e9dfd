// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The list, and which part of it is on the screen.
struct ToDoList: Sendable {
    struct Item: Hashable, Sendable {
        let id: UUID
        var text: String
        var isDone = false
    }

    private(set) var items: [Item] = []
    /// The open item; nil while the list is shown.
    var open: UUID?

    var openItem: Item? { items.first { $0.id == open } }

    /// Adds an item, or updates an existing one.
    mutating func take(_ item: Item) {
        if let index = items.firstIndex(where: { $0.id == item.id }) { items[index] = item } else { items.append(item) }
    }

    /// For the terminal.
    var lines: String {
        items.isEmpty
            ? "Nothing to do." : items.enumerated().map { "\($0 + 1). \($1.line)" }.joined(separator: "\n")
    }
}

extension ToDoList.Item {
    var line: String { "[\(isDone ? "x" : " ")] \(text)" }
}

// The state that is sent between devices: the content of the screen, never the whole list. It may be from another
// version of this app, so every value is checked before use.
extension ToDoList {
    static let version = 1
    private static let itemsOnAScreen = 20

    var userInfo: [AnyHashable: Any] {
        let items = openItem.map { [$0] } ?? Array(items.prefix(Self.itemsOnAScreen))
        return ["version": Self.version, "items": items.map(\.userInfo)]
    }

    /// False if the state is invalid; then nothing changes.
    mutating func goOn(with userInfo: [AnyHashable: Any]?, isEditing: Bool) -> Bool {
        guard let userInfo, userInfo["version"] as? Int == Self.version,
            let sent = userInfo["items"] as? [[AnyHashable: Any]]
        else { return false }
        let items = sent.compactMap(Item.init(userInfo:))
        guard items.count == sent.count, items.count <= Self.itemsOnAScreen, !isEditing || items.count == 1 else {
            return false
        }
        for item in items { take(item) }
        open = isEditing ? items[0].id : nil
        return true
    }
}

extension ToDoList.Item {
    var userInfo: [AnyHashable: Any] { ["id": id, "text": text, "isDone": isDone] }

    init?(userInfo: [AnyHashable: Any]) {
        guard let id = userInfo["id"] as? UUID, let text = userInfo["text"] as? String,
            let isDone = userInfo["isDone"] as? Bool
        else { return nil }
        self.init(id: id, text: text, isDone: isDone)
    }
}
