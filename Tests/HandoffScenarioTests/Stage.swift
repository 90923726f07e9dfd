// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffDaemon
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

enum Place: String, CaseIterable {
    case laptop
    case desktop
}

/// Two devices, each with a complete daemon and its programs.
protocol Stage {
    /// Connects and sends hello.
    func program(_ hello: LocalHello, on place: Place) async throws -> Program
    func close() async throws
}

/// The transport between the two devices, and between a device and its programs.
enum Transport: CaseIterable, CustomTestStringConvertible {
    /// Everything in memory, in virtual time.
    case memory
    /// Programs over real Unix sockets, devices in memory.
    case unixSocket
    /// Programs over real Unix sockets, devices over real TLS on loopback.
    case tls

    var testDescription: String { "\(self)" }

    func stage() async throws -> any Stage {
        switch self {
        case .memory: try TwinStage()
        case .unixSocket: try await SocketStage(devicesOverTLS: false)
        case .tls: try await SocketStage(devicesOverTLS: true)
        }
    }
}

/// A device without its transport.
struct Furniture {
    let place: Place
    let store = MemoryStateStore()
    let credentials: DeviceCredentials
    let catalog: MemoryAppCatalog
    let hub: MemoryNetwork
    let node: MemoryNode

    init(_ place: Place, hub: MemoryNetwork) throws {
        self.place = place
        self.hub = hub
        credentials = try DeviceCredentials.loadOrCreate(store: store)
        node = hub.node("\(place)", device: credentials.device, key: credentials.key.publicKey.spki)
        // On real sockets, the executable identifies a program: it is this one.
        catalog = MemoryAppCatalog([
            InstalledApp(
                bundle: try BundleID(Scenario.bundle), name: DisplayText(cleaning: "Reader"),
                signer: .development, activityTypes: [try ActivityType(Scenario.type)], path: "/apps/Reader.app",
                executable: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        ])
    }

    var app: InstalledApp { catalog.installed[0] }

    /// Found by the address in the invite, without beacons, so that nothing else on this machine notices it.
    func daemon(
        network: (any PeerNetwork)?, listener: any ClientListener, launcher: any AppLauncher, time: any TimeSource
    ) throws -> DaemonFeatures {
        // No app of the scenario claims a site, so none is asked.
        let sites = MemorySites(time: VirtualTime())
        let adapters = Adapters(
            network: network ?? node.network, air: node.air, listener: listener, catalog: catalog, launcher: launcher,
            sites: sites, store: store, work: VirtualWork(time: VirtualTime()), time: time)
        var random = Randomness.system
        // The scenario expects each request to an app.
        var board = BoardLimits()
        board.keep = .zero
        return try DaemonFeatures(
            adapters, credentials: credentials, settings: Settings(place.rawValue, board: board, beacons: false),
            random: &random)
    }
}
