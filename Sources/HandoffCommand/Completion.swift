// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

/// Requested from the daemon at that moment. Without a daemon there are none.
enum Completion {
    struct Candidate: Equatable {
        /// bash expands it, `$(...)` included. So it may have no character with a meaning in a shell.
        let value: String
        let description: String

        /// bash would insert a description.
        func text(for shell: CompletionShell?) -> String {
            switch shell {
            case .zsh?: "\(value):\(description)"
            case .fish?: "\(value)\t\(description)"
            default: value
            }
        }
    }

    /// The beginning of the ID if a shell would not take the name literally. Another device chose the name.
    static func value(for device: DeviceSummary) -> String {
        isLiteral(device.name.text) ? device.name.text : device.device.short
    }

    /// The same for a phone. The name of a device of the account means that device.
    static func value(for phone: Phone, besides devices: [DeviceSummary]) -> String {
        let name = phone.name.text
        let isTaken = devices.contains { $0.name.text.lowercased() == name.lowercased() }
        return isLiteral(name) && !isTaken ? name : phone.id.text
    }

    private static func isLiteral(_ name: String) -> Bool {
        name.first?.isLetter == true && name.allSatisfy { $0.isLetter || $0.isNumber || " -_.".contains($0) }
    }

    /// The shell waits that long.
    private static let timeout = Duration.seconds(1)
    /// Characters of an activity's ID, as the lists show it.
    private static let idLength = 8

    static let settings = CompletionKind.list(Setting.all.map(\.shownKey))

    static let devices = asked(.identity(.listDevices())) { candidates(for: listed($0)) }

    static let receivers = CompletionKind.custom { words, _, _ in
        guard let client = client(for: words) else { return [] }
        // Without an account there are only phones.
        let devices = (try? client.call(.identity(.listDevices()), timeout: timeout)).map(listed) ?? []
        let phones = (try? client.call(.phones(.listPhones()), timeout: timeout))?.phones ?? []
        let others = phones.map {
            Candidate(
                value: value(for: $0, besides: devices), description: "\($0.kind.word), through \($0.link.name)")
        }
        return (candidates(for: devices) + others).map { $0.text(for: CompletionShell.requesting) }
    }

    private static func listed(_ answer: LocalMessage) -> [DeviceSummary] {
        if case .identity(.deviceList(let devices)) = answer { devices } else { [] }
    }

    private static func candidates(for devices: [DeviceSummary]) -> [Candidate] {
        devices.map { device in
            let state = device.isThisDevice ? "this device" : device.isConnected ? "connected" : "away"
            return Candidate(value: value(for: device), description: "\(device.kind.word), \(state)")
        }
    }

    static let apps = asked(.launching(.listApps)) { answer in
        guard case .launching(.appList(let apps, _)) = answer else { return [] }
        return apps.map { Candidate(value: $0.bundle.name, description: $0.name.text) }
    }

    static let continuable = activities { !$0.isFromThisDevice && $0.isContinuable }
    static let listed = activities { _ in true }
    static let own = activities(where: \.isFromThisDevice)
    static let received = activities(where: \.isSent)

    static let outbox = asked(.sending(.listSends)) { answer in
        (answer.sends ?? []).map {
            Candidate(value: id($0.offer.activity), description: "\($0.offer.shownTitle), to \($0.deviceName.text)")
        }
    }

    private static func activities(where isWanted: @escaping @Sendable (ListedActivity) -> Bool) -> CompletionKind {
        asked(.advertising(.listActivities(watch: false, all: true))) { answer in
            guard case .advertising(.activityList(let activities)) = answer else { return [] }
            return activities.filter(isWanted).map {
                Candidate(value: id($0.offer.activity), description: "\($0.offer.shownTitle), \($0.deviceName.text)")
            }
        }
    }

    private static func id(_ activity: ActivityID) -> String { String(activity.hex.prefix(idLength)) }

    private static func asked(
        _ message: LocalMessage, _ candidates: @escaping @Sendable (LocalMessage) -> [Candidate]
    ) -> CompletionKind {
        .custom { words, _, _ in
            guard let answer = try? client(for: words)?.call(message, timeout: timeout) else { return [] }
            return candidates(answer).map { $0.text(for: CompletionShell.requesting) }
        }
    }

    private static func client(for words: [String]) -> BlockingClient? {
        let hello = LocalHello(role: .control, name: DisplayText(cleaning: "handoff"))
        return try? BlockingClient.connect(
            to: ThisProcess.locations(root: root(in: words)), hello: hello, timeout: timeout)
    }

    static func root(in words: [String]) -> String? {
        for (index, word) in words.enumerated() {
            if word == "--root", index + 1 < words.count { return words[index + 1] }
            if word.hasPrefix("--root=") { return String(word.dropFirst("--root=".count)) }
        }
        return nil
    }
}
