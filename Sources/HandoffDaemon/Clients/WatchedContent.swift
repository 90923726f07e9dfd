// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Content that each client is sent when it changes.
struct WatchedContent<Content: Equatable> {
    /// Per client.
    static var maximumWatches: Int { 16 }

    private let noun: String
    private let message: (Content) -> LocalMessage
    private var watches: [Watch] = []

    init(noun: String, message: @escaping (Content) -> LocalMessage) {
        self.noun = noun
        self.message = message
    }

    private struct Watch {
        let client: any Client
        let isPatient: Bool
        let reply: ClientReply
        var shown: Content
    }

    /// A patient watch is not an `isLookedAt`.
    mutating func watch(
        _ shown: Content, by client: any Client, isPatient: Bool = false, reply: @escaping ClientReply
    ) throws(Failure) {
        guard watches.count(where: { $0.client === client }) < Self.maximumWatches else {
            throw Failure(.limitReached, "a client may watch at most \(Self.maximumWatches) \(noun)")
        }
        watches.append(Watch(client: client, isPatient: isPatient, reply: reply, shown: shown))
    }

    var isWatched: Bool { !watches.isEmpty }
    var isLookedAt: Bool { watches.contains { !$0.isPatient } }

    mutating func clientClosed(_ client: any Client) { watches.removeAll { $0.client === client } }

    /// Calls `content` only if a client watches. A slow client later receives only the newest content.
    mutating func refresh(_ content: () -> Content) {
        guard isWatched else { return }
        let content = content()
        for index in watches.indices where content != watches[index].shown && !watches[index].client.isBehind {
            watches[index].shown = content
            watches[index].reply(message(content))
        }
    }
}
