// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffStrings

/// The session may begin after the program, and passes its language to the user's service manager, which is asked
/// whenever a notification server or a tray appears.
final class DesktopStrings: DesktopFeature {
    private static let manager = "org.freedesktop.systemd1"
    private static let audience = [NotificationServer.name, Tray.watcher]

    private let own: [String: String]
    private(set) var current: LocalizedStrings
    private var bus: BusConnection?
    private var watches: [BusSlot] = []

    /// `environment` is used if no service manager answers.
    init(_ environment: [String: String]) {
        own = environment
        current = LocalizedStrings(Language.preferred(in: environment))
    }

    subscript(_ word: Word) -> String { current[word] }

    func busConnected(_ bus: BusConnection) {
        self.bus = bus
        do throws(BusFailure) {
            watches = try Self.audience.map { name throws(BusFailure) in
                try bus.watchName(name) { [unowned self] owner in
                    if owner != nil { ask() }
                }
            }
        } catch {
            Complaint.say("cannot read the session's language: \(error.sentence)")
        }
        ask()
    }

    func busDisconnected() {
        watches = []
        bus = nil
    }

    private func ask() {
        let question = BusCall.property(
            "Environment", of: "org.freedesktop.systemd1.Manager", at: "/org/freedesktop/systemd1", on: Self.manager)
        bus?.call(question) { [weak self] result in
            guard let self, case .success(let answer) = result, let lines = answer[0]?.strings else { return }
            let told = Self.languages(in: lines)
            current = LocalizedStrings(Language.preferred(in: told.isEmpty ? own : told))
        }
    }

    private static func languages(in environment: [String]) -> [String: String] {
        var found: [String: String] = [:]
        for line in environment {
            guard let sign = line.firstIndex(of: "=") else { continue }
            let name = String(line[..<sign])
            if Language.variables.contains(name) { found[name] = String(line[line.index(after: sign)...]) }
        }
        return found
    }
}
