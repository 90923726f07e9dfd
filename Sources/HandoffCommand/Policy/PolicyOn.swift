// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient

struct PolicyOn: Verb {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Switch advertising, receiving or both on again.",
        discussion: "If this machine's administrator has switched it off, it stays off, and the command reports that.")

    @OptionGroup var what: PolicyArguments
    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        output.show(try what.set(off: false, until: nil, with: common.connect()))
    }
}
