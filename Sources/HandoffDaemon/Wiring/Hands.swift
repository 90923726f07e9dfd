// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What a daemon reaches the outside by: real hands in `handoffd`, twins in tests. All of it is called on one thread.
package struct Hands {
    package let network: any PeerNetwork
    package let air: any BeaconAir
    package let listener: any ClientListener
    package let catalog: any AppCatalog
    package let launcher: any AppLauncher
    package let sites: any SiteFetching
    package let rules: any AdministratorRules
    package let store: any StateStore
    /// That catalogue and store hand in to as well.
    package let work: any Work
    package let documents: DocumentDisk
    package let time: any TimeSource
    /// Nil: what is free is not given back to the system.
    package let memory: (any ProcessMemory)?
    /// Certificates, DER, that this device trusts for signed files of sites.
    package let roots: () -> [[UInt8]]
    /// Hosts of this device that another one could dial.
    package let localHosts: () -> [String]
    /// Has the network show another key from now on.
    package let become: (DeviceCredentials) -> Void
    /// Whether that is handoff-bus, which speaks for other programs. Asked beside the loop: it looks at a file.
    package let isBusDoor: @Sendable (RunningProgram) -> Bool

    package init(
        network: any PeerNetwork, air: any BeaconAir, listener: any ClientListener, catalog: any AppCatalog,
        launcher: any AppLauncher, sites: any SiteFetching, rules: any AdministratorRules, store: any StateStore,
        work: any Work, documents: DocumentDisk, time: any TimeSource, memory: (any ProcessMemory)? = nil,
        roots: @escaping () -> [[UInt8]], localHosts: @escaping () -> [String],
        become: @escaping (DeviceCredentials) -> Void,
        isBusDoor: @escaping @Sendable (RunningProgram) -> Bool = { _ in false }
    ) {
        self.network = network
        self.air = air
        self.listener = listener
        self.catalog = catalog
        self.launcher = launcher
        self.sites = sites
        self.rules = rules
        self.store = store
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

/// What of this machine documents need.
package struct DocumentDisk {
    package let files: any DocumentFiles
    package let histories: any DocumentHistories
    /// Of what apps have open.
    package let intake: any FileIntake
    package let places: DocumentPlaces
    /// For documents alone: a network file system that hangs holds up nothing else.
    package let work: any Work
    /// Of the time of day here, east of Greenwich, seconds.
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

/// The program that runs the features, for whoever asks.
package struct Software {
    /// Name and version.
    package let name: DisplayText
    package let processID: Int
    /// How surely it knows the programs that connect.
    package let clientsKnown: DisplayText
    /// Nil: nothing of it is on a disk.
    package let places: DaemonPlaces?
    /// The user's service manager ran when it was started.
    package let hasServiceManager: Bool
    /// An interface has an IPv6 address now.
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
