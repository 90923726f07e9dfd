// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct WebList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the web sites that installed apps claim, and whether the sites approve.",
        discussion: """
            An app claims a site in its signed entitlements; the site lists the app in a file of its own. Only both \
            together let the app continue pages of the site.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        output.show(Listing(sites: try common.connect().ask(.webLinks(.listSites), \.sites)))
    }
}

extension LocalMessage {
    var sites: [SiteSummary]? {
        guard case .webLinks(.siteList(let sites)) = self else { return nil }
        return sites
    }
}
