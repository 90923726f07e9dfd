// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

extension Trait where Self == ConditionTrait {
    /// For what plays on namespaces.
    static var needsNamespaces: Self { .enabled(if: Network.missing == nil, "\(Network.missing ?? "")") }
}

/// A person's laptop and desktop, on one network, in one account, with MonkeyBrowser on both.
struct Pair {
    let network: Network
    let laptop: Device
    let desktop: Device

    static let page = "https://weather.example/tomorrow"
    static let title = "Weather Tab"

    init(on stage: Stage, _ options: Network.Options = .init()) throws {
        network = try Network(on: stage, options)
        laptop = try Device("laptop", on: stage, network: network)
        desktop = try Device("desktop", on: stage, network: network)
        for device in [laptop, desktop] { try device.startDaemon() }
        try laptop.found(with: [desktop])
        for device in [laptop, desktop] { try device.handoff("app", "install", App.monkeyBrowser.path) }
    }

    /// MonkeyBrowser on the laptop goes to a page, and the desktop lists it.
    func browse() throws -> RunningProgram {
        let watch = try desktop.watchActivities()
        let browser = try laptop.open(.monkeyBrowser)
        try browser.output.next(starting: "ready")
        try browser.say("go \(Self.page)")
        try browser.output.next(starting: "current tab=1")
        try watch.output.next("the page in the list") { $0.contains(Self.title) }
        watch.stop()
        return browser
    }
}

extension Transcript {
    func count(starting prefix: String) -> Int { lines.count { $0.hasPrefix(prefix) } }
}
