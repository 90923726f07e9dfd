// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// A part of `AccountService`.
struct WatchedDevices {
    private var watches: [Watch] = []

    private struct Watch {
        let client: any Client
        let reply: ClientReply
        var shown: [DeviceSummary]
    }

    mutating func watch(_ shown: [DeviceSummary], by client: any Client, reply: @escaping ClientReply) throws(Failure) {
        guard watches.count(where: { $0.client === client }) < AccountService.watchesPerClient else {
            throw Failure(
                .limitReached, "a client may watch at most \(AccountService.watchesPerClient) lists of devices")
        }
        watches.append(Watch(client: client, reply: reply, shown: shown))
    }

    mutating func clientClosed(_ client: any Client) { watches.removeAll { $0.client === client } }

    /// `devices` is only called if a client watches. A slow client later receives the newest list only.
    mutating func refresh(_ devices: () -> [DeviceSummary]) {
        guard !watches.isEmpty else { return }
        let devices = devices()
        for index in watches.indices where devices != watches[index].shown && !watches[index].client.isBehind {
            watches[index].shown = devices
            watches[index].reply(.identity(.deviceList(devices)))
        }
    }
}
