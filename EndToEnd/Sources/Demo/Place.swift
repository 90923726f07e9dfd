// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// The demo's network: with root, a namespace with a web site behind it; otherwise loopback, without a site.
struct Place {
    let laptop: Device
    let desktop: Device
    /// For each daemon, when it is started.
    let options: [String]
    let phrase: String
    private let sites: WebSites?

    static let host = "coffee.example"
    /// Why there is no web site; nil if there is one.
    static let missing: String? = {
        if let missing = Network.missing { return missing }
        if !FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx") { return "a web site needs nginx" }
        // A screen reached over the network is unreachable from another namespace.
        let display = ProcessInfo.processInfo.environment["DISPLAY"] ?? ""
        return display.isEmpty || display.hasPrefix(":")
            ? nil : "the screen \(display) is on this machine's own network"
    }()

    /// `app`: the site lets it continue its pages.
    init(on stage: Stage, app: App) throws {
        guard Self.missing == nil else {
            laptop = try Device("laptop", on: stage)
            desktop = try Device("desktop", on: stage)
            options = ["--listen", "127.0.0.1:0", "--beacons", "false"]
            phrase = "on this machine"
            sites = nil
            return
        }
        let network = try Network(on: stage, .init(ipv6: false))
        laptop = try Device("laptop", on: stage, network: network)
        desktop = try Device("desktop", on: stage, network: network)
        options = []
        phrase = "on a network of their own"
        let authority = try CertificateAuthority("Roots of the Demo", in: stage.folder.appending(path: "authority"))
        for device in [laptop, desktop] { try network.trust(authority.certificate, on: device.name) }
        let sites = try WebSites(on: Device("web", on: stage, network: network), of: network)
        try sites.add(Self.host, authority.credentials(for: Self.host), WebSites.withPages)
        let file = #"{"activitycontinuation":{"apps":["\#(app.identifier)"]}}"#
        try sites.put(Data(file.utf8), at: ".well-known/apple-app-site-association", of: Self.host)
        try sites.put(filesOf: WebServer.pages, of: Self.host)
        try sites.start(for: [laptop, desktop])
        self.sites = sites
    }

    var hasSite: Bool { sites != nil }

    /// The address of a page, which a local server has if there is no site.
    func page(_ name: String, on stage: Stage) throws -> String {
        hasSite ? "https://\(Self.host)/\(name)/" : try WebServer(on: stage).page(name)
    }
}
