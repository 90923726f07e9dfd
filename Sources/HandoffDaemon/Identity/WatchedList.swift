// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// A part of `AccountService`. Each client is sent the list when it changes.
struct WatchedList<Item: Equatable> {
    /// Such as "devices".
    private let noun: String
    private let message: ([Item]) -> LocalMessage.Identity
    private var watches: [Watch] = []

    init(noun: String, message: @escaping ([Item]) -> LocalMessage.Identity) {
        self.noun = noun
        self.message = message
    }

    private struct Watch {
        let client: any Client
        let reply: ClientReply
        var shown: [Item]
    }

    mutating func watch(_ shown: [Item], by client: any Client, reply: @escaping ClientReply) throws(Failure) {
        guard watches.count(where: { $0.client === client }) < AccountService.watchesPerClient else {
            throw Failure(
                .limitReached, "a client may watch at most \(AccountService.watchesPerClient) lists of \(noun)")
        }
        watches.append(Watch(client: client, reply: reply, shown: shown))
    }

    var isWatched: Bool { !watches.isEmpty }

    mutating func clientClosed(_ client: any Client) { watches.removeAll { $0.client === client } }

    /// `items` is only called if a client watches. A slow client later receives the newest list only.
    mutating func refresh(_ items: () -> [Item]) {
        guard isWatched else { return }
        let items = items()
        for index in watches.indices where items != watches[index].shown && !watches[index].client.isBehind {
            watches[index].shown = items
            watches[index].reply(.identity(message(items)))
        }
    }
}
