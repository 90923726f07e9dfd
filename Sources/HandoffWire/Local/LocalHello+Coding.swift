// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

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
            bundle: message.bundle.isEmpty ? nil : try BundleID(message.bundle), name: .name(message.name),
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
    }
}

extension BusCaller {
    init(_ message: PBBusCaller) throws(WireError) {
        guard message.names.count <= Limits.callerNames else {
            throw WireError(.limitReached, "more than \(Limits.callerNames) names of a program on the bus")
        }
        self.init(
            processID: message.process,
            file: message.path.isEmpty
                ? nil : File(path: message.path, device: message.device, inode: message.inode),
            names: message.names)
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
