// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire
import TestBuses

@testable import HandoffDesktop

/// This program's features on a real bus, and a caller.
extension BusFixture {
    /// Returns the caller; if `waits`, once all names of the search exist.
    func begin(
        at address: String, _ daemon: ScriptedDaemon, tray: TrayPreference = .off, isThere: Bool = true,
        waits: Bool = true, environment: [String: String] = [:], firstList: Duration = SearchWaits.firstList
    ) async throws -> Guest {
        let guest = try await connect(to: address)
        // Isolated from this user's settings and buses.
        let nowhere = "/nonexistent"
        let folder = try UserFolder()
        try folder.set(#""tray": "\#(tray.rawValue)""#)
        let features = DesktopFeatures(
            lines: { daemon }, locations: Locations(root: folder.path), sessionBus: address,
            systemBus: "unix:path=\(nowhere)/bus", environment: environment,
            firstList: firstList, on: loop)
        features.start()
        guest.features = features
        guest.kept.append(folder)
        if isThere { daemon.appear() }
        for name in [ShellSearch.name, RunnerSearch.name] where waits {
            try await guest.waits(for: name, isolation: self)
        }
        return guest
    }
}

extension Guest {
    var features: DesktopFeatures? {
        get { kept.lazy.compactMap { $0 as? DesktopFeatures }.first }
        set { if let newValue { kept.append(newValue) } }
    }

    var folder: UserFolder? { kept.lazy.compactMap { $0 as? UserFolder }.first }

    /// Waits until the name has an owner. Earlier events are discarded.
    func waits(for name: String, isolation: isolated (any Actor)) async throws {
        var owner: String?
        let watch = try connection?.watchName(name) { [unowned self] in
            owner = $0
            hears(BusMessage())
        }
        try await wait(isolation: isolation) { _ in owner != nil }
        withExtendedLifetime(watch) {}
        heard = []
    }

    /// Waits until earlier messages of the daemon were processed: the bus answers the second call after that.
    func settles(isolation: isolated (any Actor)) async {
        for _ in 0..<2 { _ = await call(.bus("GetId", []), isolation: isolation) }
    }

    func asks(
        _ name: String, _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = [],
        isolation: isolated (any Actor)
    ) async throws -> BusMessage {
        try await call(BusCall(name, path, interface, member, body), isolation: isolation).get()
    }
}
