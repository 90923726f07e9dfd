// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct AccountShow: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the account and its devices.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        output.show(ShownAccount(try common.connect().ask(.identity(.showAccount)) { $0.account }))
    }
}
