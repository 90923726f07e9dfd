// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

struct PolicyOff: Verb {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Switch advertising, receiving or both off.",
        discussion: "It stays off across restarts, until its time is up or you switch it on.")

    @OptionGroup var what: PolicyArguments

    @Option(name: .customLong("for"), help: ArgumentHelp("The duration: 30min, 2h, 1d.", valueName: "time"))
    var time: String?

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let until = try time.map { try WallTime.now.advanced(by: Duration(argument: $0)) }
        output.show(try what.set(off: true, until: until, with: common.connect()))
    }
}

extension Duration {
    /// `90s`, `30min`, `2h`, `1d`.
    fileprivate init(argument: String) throws(CommandFailure) {
        guard let duration = Duration(text: argument), duration > .zero else {
            throw .usage("\"\(argument)\" is not a time like 30min, 2h or 1d")
        }
        self = duration
    }
}
