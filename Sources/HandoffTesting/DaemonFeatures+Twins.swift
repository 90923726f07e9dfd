// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffDaemon
internal import HandoffWire
internal import Logging

extension Hands {
    /// Twins for what few tests look at.
    package init(
        network: any PeerNetwork, air: any BeaconAir, listener: any ClientListener, catalog: any AppCatalog,
        launcher: any AppLauncher, sites: any SiteFetching, rules: any AdministratorRules = MemoryAdministratorRules(),
        store: any StateStore, work: any Work, time: any TimeSource, memory: (any ProcessMemory)? = nil,
        become: @escaping (DeviceCredentials) -> Void = { _ in }
    ) {
        self.init(
            network: network, air: air, listener: listener, catalog: catalog, launcher: launcher, sites: sites,
            rules: rules, store: store, work: work, time: time, memory: memory, roots: { [] }, localHosts: { [] },
            become: become)
    }
}

extension DaemonFeatures {
    /// As the door puts them together, on the hands that a test gives, and with nobody who reads a log.
    package convenience init(
        _ hands: Hands, credentials: DeviceCredentials, settings: Settings, random: inout Randomness
    ) throws {
        try self.init(
            hands, credentials: credentials, settings: settings,
            software: Software(name: DisplayText(cleaning: "whole daemon"), processID: 1), random: &random,
            log: Logger(label: settings.name.text) { _ in SwiftLogNoOpLogHandler() })
    }
}

extension Settings {
    /// Of a device in a test.
    package init(_ name: String, board: BoardLimits = BoardLimits(), beacons: Bool = true) {
        self.init(name: DisplayText(cleaning: name))
        kind = .laptop
        keep = board.keep
        expiry = board.expiry
        self.beacons = beacons
    }
}
