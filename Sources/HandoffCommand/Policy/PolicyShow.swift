// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct PolicyShow: Verb {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show what is switched off.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        output.show(ShownPolicy(try common.connect().ask(.policy(.showPolicy), \.policy)))
    }
}

extension LocalMessage {
    var policy: PolicySummary? {
        guard case .policy(.policy(let policy)) = self else { return nil }
        return policy
    }
}
