// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A laptop, its user's other devices, and sites on the internet with certificates that the devices trust.
struct Internet {
    let stage: Stage
    let network: Network
    let laptop: Device
    let others: [Device]
    let sites: WebSites
    /// Signs the sites' certificates.
    let authority: CertificateAuthority
    /// The laptop's cable, captured from before the first request.
    let cable: Capture

    static let app = App.monkeyBrowser
    static let wellKnown = ".well-known/apple-app-site-association"
    static let root = "apple-app-site-association"

    /// A site's file that lets the app continue its pages.
    static let file = Data(#"{"activitycontinuation":{"apps":["\#(app.identifier)"]}}"#.utf8)

    init(on stage: Stage, others: [String] = []) throws {
        self.stage = stage
        let network = try Network(on: stage, .init(ipv6: false))
        self.network = network
        laptop = try Device("laptop", on: stage, network: network)
        self.others = try others.map { try Device($0, on: stage, network: network) }
        sites = try WebSites(on: Device("sites", on: stage, network: network), of: network)
        authority = try CertificateAuthority("Roots of the Test", in: stage.folder.appending(path: "authority"))
        for device in [laptop] + self.others { try network.trust(authority.certificate, on: device.name) }
        cable = try network.capture(laptop.name)
    }

    /// A site with its own certificate and that file at that path.
    func site(
        _ name: String, at address: String? = nil, _ directives: String..., file: Data? = file,
        place: String = wellKnown
    ) throws {
        try sites.add(name, authority.credentials(for: name), at: address, directives)
        if let file { try sites.put(file, at: place, of: name) }
    }

    /// Starts the sites, and the devices in one account.
    func begin(_ options: [String] = []) throws {
        try sites.start(for: [laptop] + others)
        for device in [laptop] + others { try device.startDaemon(options) }
        try laptop.found(with: others)
    }

    /// MonkeyBrowser, as if its makers owned these sites. By default on the laptop.
    func install(claiming hosts: [String], mode: String? = nil, on device: Device? = nil) throws {
        try (device ?? laptop).install(Self.app.claiming(hosts, mode: mode, in: stage.folder))
    }

    /// The result for each claimed site, once all were queried.
    func answers(on device: Device? = nil, within bound: Duration = .seconds(10)) throws -> [String: String] {
        let deadline = ContinuousClock.now + bound
        while true {
            let states = try (device ?? laptop).json("web", "list").elements.map { site in
                (site["host"]?.string ?? "", site["state"]?.string ?? "")
            }
            if !states.contains(where: { $0.1 == "notAsked" }) { return Dictionary(uniqueKeysWithValues: states) }
            guard ContinuousClock.now < deadline else { throw Unmet("waited \(bound) for the sites: \(states)") }
        }
    }

    /// The app that continues that page; nil: a browser.
    func taker(of page: String) throws -> String? {
        let check = try laptop.json("web", "check", page)
        guard let taker = check["taker"] else { throw Unmet("nobody continues \(page)") }
        return taker["app"]?.string
    }

    /// Internet addresses to which the laptop sent packets.
    func contacted() throws -> Set<String> {
        let sent = try cable.traffic().frames.filter(\.isFromDevice).compactMap { frame -> String? in
            guard case .segment(let flow, _, _, _) = try frame.content else { return nil }
            return flow.destination.map(String.init).joined(separator: ".")
        }
        return Set(sent)
    }
}
