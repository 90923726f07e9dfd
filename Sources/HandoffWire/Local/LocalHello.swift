// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

package enum ClientRole: Int, Sendable, Hashable {
    case unspecified = 0
    /// An app bundle, or a program under development.
    case app = 1
    /// Command line, desktop part, script.
    case control = 2
    /// Offers pages under the personal team, and shows them.
    case browser = 3
    /// handoff-bus, on behalf of programs on the user's bus.
    case busProgram = 4
}

/// Confines a program, which cannot choose another.
package enum Sandbox: Hashable, Sendable, CustomStringConvertible {
    /// The app's identifier.
    case flatpak(BundleID)
    /// The name of the installed instance.
    case snap(BundleID)

    package var name: BundleID {
        switch self {
        case .flatpak(let id): id
        case .snap(let instance): instance
        }
    }

    package var description: String {
        switch self {
        case .flatpak(let id): "the Flatpak \(id)"
        case .snap(let instance): "the Snap \(instance)"
        }
    }
}

/// As identified by the bus and the kernel.
package struct BusCaller: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        /// For display and logs.
        package var path: String
        package var device: UInt64
        package var inode: UInt64

        package init(path: String, device: UInt64, inode: UInt64) {
            self.path = path
            self.device = device
            self.inode = inode
        }
    }

    /// For logs only: another process may have the number by now.
    package var processID: Int32
    /// Nil: only the process number is known, which proves nothing.
    package var file: File?
    package var names: [String]
    /// If set, the other properties identify no app.
    package var sandbox: Sandbox?

    package init(processID: Int32, file: File?, names: [String] = [], sandbox: Sandbox? = nil) {
        self.processID = processID
        self.file = file
        self.names = names
        self.sandbox = sandbox
    }
}

package struct LocalHello: Hashable, Sendable {
    package var minimumVersion: UInt32
    package var maximumVersion: UInt32
    package var role: ClientRole
    /// From Info.plist; the daemon checks it.
    package var bundle: BundleID?
    package var name: DisplayText
    package var launchToken: LaunchToken?
    /// False: only publishes.
    package var receives: Bool
    /// From handoff-bus: the program behind it.
    package var caller: BusCaller?

    package init(
        versions: ClosedRange<UInt32> = ProtocolVersion.local, role: ClientRole, bundle: BundleID? = nil,
        name: DisplayText, launchToken: LaunchToken? = nil, receives: Bool = false,
        caller: BusCaller? = nil
    ) {
        self.minimumVersion = versions.lowerBound
        self.maximumVersion = versions.upperBound
        self.role = role
        self.bundle = bundle
        self.name = name
        self.launchToken = launchToken
        self.receives = receives
        self.caller = caller
    }
}

package struct Welcome: Hashable, Sendable {
    package var version: UInt32
    package var deviceName: DisplayText
    package var isRegistered: Bool
    package var software: DisplayText
    /// Only for the user's commands and windows.
    package var places: DaemonPlaces?

    package init(
        version: UInt32, deviceName: DisplayText, isRegistered: Bool, software: DisplayText, places: DaemonPlaces? = nil
    ) {
        self.version = version
        self.deviceName = deviceName
        self.isRegistered = isRegistered
        self.software = software
        self.places = places
    }
}

/// For commands that use the daemon's files; their environment may differ.
package struct DaemonPlaces: Hashable, Sendable {
    package let state: String
    package let configuration: String
    package let apps: String

    package init?(state: String, configuration: String, apps: String) {
        let paths = [state, configuration, apps]
        guard paths.allSatisfy({ $0.hasPrefix("/") && $0.utf8.count <= Limits.pathBytes && !$0.utf8.contains(0) })
        else {
            return nil
        }
        self.state = state
        self.configuration = configuration
        self.apps = apps
    }

    package init?(_ locations: Locations) {
        self.init(state: locations.state, configuration: locations.configuration, apps: locations.apps)
    }
}

extension PBLocalHello {
    init(_ hello: LocalHello) {
        self.init()
        minVersion = hello.minimumVersion
        maxVersion = hello.maximumVersion
        role = PBClientRole(rawValue: hello.role.rawValue) ?? .unspecified
        bundle = hello.bundle?.name ?? ""
        name = hello.name.text
        launchToken = (hello.launchToken?.bytes ?? []).data
        receives = hello.receives
        if let caller = hello.caller { self.caller = PBBusCaller(caller) }
    }
}

extension LocalHello {
    init(_ message: PBLocalHello) throws(WireError) {
        self.init(
            role: ClientRole(rawValue: message.role.rawValue) ?? .unspecified,
            bundle: message.bundle.isEmpty ? nil : try BundleID(appOrProgram: message.bundle),
            name: .name(message.name),
            launchToken: message.launchToken.isEmpty ? nil : try LaunchToken(bytes: message.launchToken),
            receives: message.receives, caller: message.hasCaller ? try BusCaller(message.caller) : nil)
        minimumVersion = message.minVersion
        maximumVersion = message.maxVersion
    }
}

extension PBBusCaller {
    init(_ caller: BusCaller) {
        self.init()
        process = caller.processID
        if let file = caller.file { (path, device, inode) = (file.path, file.device, file.inode) }
        names = caller.names
        switch caller.sandbox {
        case .flatpak(let id): flatpak = id.name
        case .snap(let instance): snap = instance.name
        case nil: break
        }
    }
}

extension BusCaller {
    init(_ message: PBBusCaller) throws(WireError) {
        guard message.names.count <= Limits.callerNames else {
            throw WireError(.limitReached, "more than \(Limits.callerNames) names of a program on the bus")
        }
        guard message.flatpak.isEmpty || message.snap.isEmpty else {
            throw WireError(.malformed, "a program on the bus is in a Flatpak and in a Snap")
        }
        let flatpak = message.flatpak.isEmpty ? nil : Sandbox.flatpak(try BundleID(message.flatpak))
        let snap = message.snap.isEmpty ? nil : Sandbox.snap(try BundleID(message.snap))
        self.init(
            processID: message.process,
            file: message.path.isEmpty
                ? nil : File(path: message.path, device: message.device, inode: message.inode),
            names: message.names, sandbox: flatpak ?? snap)
    }
}

extension PBWelcome {
    init(_ welcome: Welcome) {
        self.init()
        version = welcome.version
        deviceName = welcome.deviceName.text
        registered = welcome.isRegistered
        software = welcome.software.text
        guard let places = welcome.places else { return }
        self.places = .with {
            $0.state = places.state
            $0.configuration = places.configuration
            $0.apps = places.apps
        }
    }
}

extension Welcome {
    init(_ message: PBWelcome) {
        self.init(
            version: message.version, deviceName: .name(message.deviceName), isRegistered: message.registered,
            software: .name(message.software),
            places: DaemonPlaces(
                state: message.places.state, configuration: message.places.configuration, apps: message.places.apps))
    }
}
