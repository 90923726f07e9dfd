// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct AccountCreate: Verb {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an account with this device in it.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let account = try common.connect().ask(.createAccount) { $0.account }
        output.show(ShownAccount(account))
        output.note("add another device: handoff account invite")
    }
}
