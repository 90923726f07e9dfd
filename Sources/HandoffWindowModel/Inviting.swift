// SPDX-License-Identifier: Apache-2.0

import HandoffClient
internal import HandoffWire

@MainActor
package final class Inviting {
    package private(set) var invitation = Invitation()
    package var changed: @MainActor () -> Void = {}

    private var request: LastingRequest?

    init(_ line: any DaemonLine, hop: @escaping DaemonClient.Hop) {
        request = LastingRequest(
            .identity(.createInvite(asking: true, announced: true)), on: line, hop: hop, until: Self.isLast
        ) { [weak self] answer in self?.heard { $0.heard(answer) } }
    }

    package func close() { request?.close() }

    package func decide(admit: Bool) {
        guard let answer = invitation.decided(admit: admit) else { return }
        changed()
        request?.request(answer) { [weak self] result in self?.heard { $0.heardOfDecision(result) } }
    }

    private nonisolated static func isLast(_ message: LocalMessage) -> Bool {
        if case .identity(.inviteUsed) = message { true } else { false }
    }

    private func heard(_ take: (inout Invitation) -> Void) {
        take(&invitation)
        changed()
    }
}
