// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

struct ShownPolicy: Renderable {
    struct Switch: Encodable {
        let direction: String
        /// Absent: the whole device.
        let app: String?
        /// Absent: until it is switched on.
        let until: String?
        let by: String
        let line: String

        private enum CodingKeys: CodingKey { case direction, app, until, by }

        init(_ policy: PolicySwitch) {
            direction = policy.subject.direction.word
            app = policy.subject.bundle?.name
            until = policy.until?.iso8601
            by = policy.isByAdministrator ? "administrator" : "user"
            line = policy.line
        }
    }

    let off: [Switch]
    let problem: String?

    init(_ summary: PolicySummary) {
        off = summary.off.map(Switch.init)
        problem = summary.problem
    }

    func text(_ terminal: Terminal) -> String {
        let lines = off.isEmpty ? ["advertising and receiving are on"] : off.map(\.line)
        return (lines + (problem.map { [$0] } ?? [])).joined(separator: "\n")
    }
}

extension PolicySwitch {
    /// `receiving off for com.example.notes until 2026-03-01 14:00`
    var line: String { words("off") }
    /// `receiving is switched off until 2026-03-01 14:00, by the administrator`
    var clause: String { words("is switched off") }

    private func words(_ state: String) -> String {
        var words = "\(subject.direction.word) \(state)"
        if let bundle = subject.bundle { words += " for \(bundle)" }
        if let until { words += " until \(until.local)" }
        return isByAdministrator ? words + ", by the administrator" : words
    }
}
