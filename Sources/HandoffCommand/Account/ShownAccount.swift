// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

struct ShownAccount: Renderable {
    let account: String
    let devices: [ShownDevice]
    /// Only for a new account.
    let recoveryKey: String?

    init(_ summary: AccountSummary) {
        account = summary.account.hex
        recoveryKey = summary.recoveryKey
        devices = summary.devices.map(ShownDevice.init)
    }

    func text(_ terminal: Terminal) -> String {
        let lines = "account \(account.prefix(8))\n" + Table(devices).text(terminal)
        guard let recoveryKey else { return lines }
        return lines + "\n\nrecovery key  \(recoveryKey)\n"
    }
}

extension LocalMessage {
    var account: AccountSummary? { if case .identity(.account(let summary)) = self { summary } else { nil } }
}
