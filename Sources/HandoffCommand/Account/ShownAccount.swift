// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

struct ShownAccount: Renderable {
    let account: String
    let devices: [ShownDevice]

    init(_ summary: AccountSummary) {
        account = summary.account.hex
        devices = summary.devices.map(ShownDevice.init)
    }

    func text(_ terminal: Terminal) -> String {
        "account \(account.prefix(8))\n" + ShownDevice.table(devices).text(terminal)
    }
}

extension LocalMessage {
    var account: AccountSummary? { if case .account(let summary) = self { summary } else { nil } }
}
