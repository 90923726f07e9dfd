// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct WebCheck: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Show what would continue a web page here, and why.",
        discussion: """
            Lists every entry of an installed app for the page's host or a similar host, whether the entry applies, what the \
            site answered and which part of its file decided. Contacts no site; use handoff web refresh for that.
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
