// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffDaemon
internal import HandoffWire
internal import Logging

extension Adapters {
    /// In-memory defaults for adapters that few tests examine.
    package init(
        network: any PeerNetwork, air: any BeaconAir, listener: any ClientListener, catalog: any AppCatalog,
        launcher: any AppLauncher, sites: any SiteFetching, rules: any AdministratorRules = MemoryAdministratorRules(),
        store: any StateStore, history: any ActivityIndex = MemoryActivityIndex(), work: any Work,
        documents: DocumentDisk? = nil, time: any TimeSource,
        memory: (any ProcessMemory)? = nil, become: @escaping (DeviceCredentials) -> Void = { _ in }
    ) {
        self.init(
            network: network, air: air, listener: listener, catalog: catalog, launcher: launcher, sites: sites,
            rules: rules, store: store, history: history, work: work,
            documents: documents ?? .inMemory(time: time, work: work),
            time: time, memory: memory, roots: { [] }, localHosts: { [] }, become: become)
    }
}

extension DocumentDisk {
    /// Containers are in `/home/user/containers`.
    package static func inMemory(
        _ files: MemoryDocumentFiles = MemoryDocumentFiles(),
        histories: MemoryDocumentHistories = MemoryDocumentHistories(), intake: MemoryFileIntake? = nil,
        time: any TimeSource, work: any Work
    ) -> DocumentDisk {
        guard let home = try? AbsolutePath("/home/user/containers"), let state = try? AbsolutePath("/home/user/state")
        else { preconditionFailure("these are paths") }
        return DocumentDisk(
            files: files, histories: histories, intake: intake ?? MemoryFileIntake(time: time),
            places: DocumentPlaces(containers: home, apart: [state]), work: work,
            zone: { _ in 3600 })
    }
}

extension DaemonFeatures {
    /// Assembled as by the executable, with a test's adapters and without a log.
    package convenience init(
        _ adapters: Adapters, credentials: DeviceCredentials, settings: Settings, random: inout Randomness
    ) throws {
        try self.init(
            adapters, credentials: credentials, settings: settings,
            software: Software(name: DisplayText(cleaning: "whole daemon"), processID: 1), random: &random,
            log: Logger(label: settings.name.text) { _ in SwiftLogNoOpLogHandler() })
    }
}

extension Settings {
    package init(_ name: String, board: BoardLimits = BoardLimits(), beacons: Bool = true) {
        self.init(name: DisplayText(cleaning: name))
        kind = .laptop
        keep = board.keep
        expiry = board.expiry
        self.beacons = beacons
    }
}
