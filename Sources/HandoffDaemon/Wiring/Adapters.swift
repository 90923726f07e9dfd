// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Real in `handoffd`, in memory in tests. All are called on one thread.
package struct Adapters {
    package let network: any PeerNetwork
    package let air: any BeaconAir
    /// Nil: the setting at the start remains.
    package let beaconSwitch: (any BeaconSwitch)?
    package let listener: any ClientListener
    package let catalog: any AppCatalog
    package let launcher: any AppLauncher
    package let sites: any SiteFetching
    package let rules: any AdministratorRules
    package let store: any StateStore
    package let history: any ActivityIndex
    /// Shared with the catalog and the store.
    package let work: any Work
    package let documents: DocumentDisk
    package let time: any TimeSource
    /// Nil: free memory is not returned to the system.
    package let memory: (any ProcessMemory)?
    /// In DER, trusted for signed files of sites.
    package let roots: () -> [[UInt8]]
    /// This device's addresses that another device could dial.
    package let localHosts: () -> [String]
    package let become: (DeviceCredentials) -> Void
    /// True for handoff-bus. Called off the loop, because it reads a file.
    package let isBusDoor: @Sendable (RunningProgram) -> Bool

    package init(
        network: any PeerNetwork, air: any BeaconAir, listener: any ClientListener, catalog: any AppCatalog,
        launcher: any AppLauncher, sites: any SiteFetching, rules: any AdministratorRules, store: any StateStore,
        history: any ActivityIndex, work: any Work, documents: DocumentDisk, time: any TimeSource,
        memory: (any ProcessMemory)? = nil,
        roots: @escaping () -> [[UInt8]], localHosts: @escaping () -> [String],
        become: @escaping (DeviceCredentials) -> Void, beaconSwitch: (any BeaconSwitch)? = nil,
        isBusDoor: @escaping @Sendable (RunningProgram) -> Bool = { _ in false }
    ) {
        self.network = network
        self.air = air
        self.beaconSwitch = beaconSwitch
        self.listener = listener
        self.catalog = catalog
        self.launcher = launcher
        self.sites = sites
        self.rules = rules
        self.store = store
        self.history = history
        self.work = work
        self.documents = documents
        self.time = time
        self.memory = memory
        self.roots = roots
        self.localHosts = localHosts
        self.become = become
        self.isBusDoor = isBusDoor
    }
}

package struct DocumentDisk {
    package let files: any DocumentFiles
    package let histories: any DocumentHistories
    package let intake: any FileIntake
    package let places: DocumentPlaces
    /// For documents only: a hung network file system delays nothing else.
    package let work: any Work
    /// Seconds east of Greenwich.
    package let zone: (WallTime) -> Int

    package init(
        files: any DocumentFiles, histories: any DocumentHistories, intake: any FileIntake, places: DocumentPlaces,
        work: any Work, zone: @escaping (WallTime) -> Int
    ) {
        self.files = files
        self.histories = histories
        self.intake = intake
        self.places = places
        self.work = work
        self.zone = zone
    }
}

package struct Software {
    package let name: DisplayText
    package let processID: Int
    /// How reliably it identifies programs that connect.
    package let clientsKnown: DisplayText
    /// Nil: nothing is stored on disk.
    package let places: DaemonPlaces?
    package let hasServiceManager: Bool
    package let hasIPv6: () -> Bool

    package init(
        name: DisplayText, processID: Int, clientsKnown: DisplayText = DisplayText(cleaning: "held"),
        places: DaemonPlaces? = nil, hasServiceManager: Bool = true, hasIPv6: @escaping () -> Bool = { true }
    ) {
        self.hasIPv6 = hasIPv6
        self.hasServiceManager = hasServiceManager
        self.name = name
        self.processID = processID
        self.clientsKnown = clientsKnown
        self.places = places
    }
}
