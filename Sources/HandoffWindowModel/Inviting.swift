// SPDX-License-Identifier: Apache-2.0

import HandoffClient
internal import HandoffWire

/// Has its own connection to the daemon, because an invite ends with the connection that requested it.
@MainActor
package final class Inviting {
    package private(set) var invitation = Invitation()
    package var changed: @MainActor () -> Void = {}

    private let link: DaemonClient
    private var isAsked = false

    init(_ line: any DaemonLine, hop: @escaping DaemonClient.Hop) {
        link = DaemonClient(line, hello: WindowDaemonClient.hello, hop: hop)
        link.connected = { [weak self] _ in self?.ask() }
        link.disconnected = { [weak self] in self?.lost() }
        link.unavailable = { [weak self] _ in self?.lost() }
        link.start()
    }

    package func close() { link.stop() }

    package func decide(admit: Bool) {
        guard let answer = invitation.decided(admit: admit) else { return }
        changed()
        link.request(answer) { [weak self] result in self?.heard { $0.heardOfDecision(result) } }
    }

    /// Only once: a restarted daemon does not know the displayed code.
    private func ask() {
        guard !isAsked else { return }
        isAsked = true
        link.follow(.identity(.createInvite(asking: true, announced: true)), until: Self.isLast) { [weak self] answer in
            self?.heard { $0.heard(answer) }
        }
    }

    private nonisolated static func isLast(_ message: LocalMessage) -> Bool {
        if case .identity(.inviteUsed) = message { true } else { false }
    }

    private func lost() { heard { $0.heard(.failure(.noDaemon)) } }

    private func heard(_ take: (inout Invitation) -> Void) {
        take(&invitation)
        changed()
    }
}
