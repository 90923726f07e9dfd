// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct WebCheck: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say what would continue a web page here, and why.",
        discussion: """
            Names every entry of an installed app that is about the page's host or one near it, whether it counts, what \
            the site said and which part of its file decided. Asks no site: for that there is handoff web refresh.
            """)

    @Argument(help: ArgumentHelp("The address of the page.", valueName: "url"))
    var url: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let check = try common.connect().ask(.webLinks(.checkWebPage(url))) { message in
            if case .webLinks(.webPageCheck(let check)) = message { check } else { nil }
        }
        output.show(ShownWebPageCheck(check, of: url))
    }
}
