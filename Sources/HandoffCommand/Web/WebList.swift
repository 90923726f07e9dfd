// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct WebList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the web sites that installed apps claim, and what they said.",
        discussion: """
            An app claims a site in its signed entitlements; the site lists the app in a file of its own. Only both \
            together let the app go on with pages of the site.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        output.show(ShownSites(sites: try common.connect().ask(.listSites, \.sites).map(ShownSite.init)))
    }
}

extension LocalMessage {
    var sites: [SiteSummary]? {
        guard case .siteList(let sites) = self else { return nil }
        return sites
    }
}
