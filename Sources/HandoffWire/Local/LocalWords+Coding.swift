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
    }
}

extension LocalHello {
    init(_ message: PBLocalHello) throws(WireError) {
        self.init(
            role: ClientRole(rawValue: message.role.rawValue) ?? .unspecified,
            bundle: message.bundle.isEmpty ? nil : try BundleID(message.bundle), name: .name(message.name),
            launchToken: message.launchToken.isEmpty ? nil : try LaunchToken(bytes: message.launchToken),
            receives: message.receives)
        minimumVersion = message.minVersion
        maximumVersion = message.maxVersion
    }
}

extension PBPublishActivity {
    init(_ publication: Publication) {
        self.init()
        activity = publication.activity.bytes.data
        activityType = publication.type.name
        if let text = publication.title?.text { title = text }
        supportsStreams = publication.supportsStreams
        hasWebPage_p = publication.hasWebPage
        if let expires = publication.expires { expiresMs = expires.milliseconds }
        webHost = publication.webHost?.name ?? ""
    }
}

extension Publication {
    init(_ message: PBPublishActivity) throws(WireError) {
        self.init(
            activity: try ActivityID(bytes: message.activity), type: try ActivityType(message.activityType),
            title: message.hasTitle ? DisplayText(cleaning: message.title) : nil,
            supportsStreams: message.supportsStreams, hasWebPage: message.hasWebPage_p,
            expires: message.hasExpiresMs ? WallTime(milliseconds: message.expiresMs) : nil,
            webHost: message.webHost.isEmpty ? nil : try WebHost(wire: message.webHost))
    }
}

extension PBStatus {
    init(_ status: DaemonStatus) {
        self.init()
        software = status.software
        deviceName = status.deviceName.text
        device = (status.device?.bytes ?? []).data
        account = (status.account?.bytes ?? []).data
        listening = status.listening
        warnings = status.warnings
        devicesKnown = UInt32(clamping: status.devicesKnown)
        devicesConnected = UInt32(clamping: status.devicesConnected)
        activitiesHere = UInt32(clamping: status.activitiesHere)
        activitiesOffered = UInt32(clamping: status.activitiesOffered)
        appsInstalled = UInt32(clamping: status.appsInstalled)
        appsDevelopment = UInt32(clamping: status.appsInDevelopment)
        appsNotTrusted = UInt32(clamping: status.appsNotTrusted)
        teamsTrusted = UInt32(clamping: status.teamsTrusted)
        pid = UInt32(clamping: status.pid)
        uptimeMs = status.uptime.wholeMilliseconds
        policy = PBPolicy(status.policy)
    }
}

extension DaemonStatus {
    init(_ message: PBStatus) throws(WireError) {
        self.init()
        software = message.software
        deviceName = .name(message.deviceName)
        device = message.device.isEmpty ? nil : try DeviceID(bytes: message.device)
        account = message.account.isEmpty ? nil : try AccountID(bytes: message.account)
        listening = message.listening
        warnings = message.warnings
        devicesKnown = Int(message.devicesKnown)
        devicesConnected = Int(message.devicesConnected)
        activitiesHere = Int(message.activitiesHere)
        activitiesOffered = Int(message.activitiesOffered)
        appsInstalled = Int(message.appsInstalled)
        appsInDevelopment = Int(message.appsDevelopment)
        appsNotTrusted = Int(message.appsNotTrusted)
        teamsTrusted = Int(message.teamsTrusted)
        pid = Int(message.pid)
        uptime = .milliseconds(message.uptimeMs)
        policy = try PolicySummary(message.policy)
    }
}

extension PBDevice {
    init(_ summary: DeviceSummary) {
        self.init()
        device = summary.device.bytes.data
        name = summary.name.text
        kind = PBDeviceKind(rawValue: summary.kind.rawValue) ?? .unspecified
        thisDevice = summary.isThisDevice
        connected = summary.isConnected
        address = summary.address
        admittedMs = summary.admitted.milliseconds
        admittedBy = summary.admittedBy?.text ?? ""
    }
}

extension DeviceSummary {
    init(_ message: PBDevice) throws(WireError) {
        self.init(
            device: try DeviceID(bytes: message.device), name: .name(message.name), kind: DeviceKind(message.kind),
            isThisDevice: message.thisDevice, isConnected: message.connected, address: message.address,
            admitted: WallTime(milliseconds: message.admittedMs),
            admittedBy: message.admittedBy.isEmpty ? nil : .name(message.admittedBy))
    }
}

extension PBApp {
    init(_ app: AppSummary) {
        self.init()
        bundle = app.bundle.name
        name = app.name.text
        version = app.version
        team = PBTeam(app.team)
        teamName = app.teamName?.text ?? ""
        development = app.isInDevelopment
        trusted = app.isTrusted
        activityTypes = app.activityTypes.map(\.name)
        path = app.path
        running = app.isRunning
    }
}

extension AppSummary {
    init(_ message: PBApp) throws(WireError) {
        var types: [ActivityType] = []
        for type in message.activityTypes { types.append(try ActivityType(type)) }
        self.init(
            bundle: try BundleID(message.bundle), name: .name(message.name), version: message.version,
            team: try Team(message.team), teamName: message.teamName.isEmpty ? nil : .name(message.teamName),
            isInDevelopment: message.development, isTrusted: message.trusted, activityTypes: types,
            path: message.path, isRunning: message.running)
    }
}

extension PBTrustedTeam {
    init(_ summary: TeamSummary) {
        self.init()
        team = PBDeveloperTeam(summary.team)
        name = summary.name.text
        trustedMs = summary.trustedSince.milliseconds
        apps = UInt32(clamping: summary.apps)
    }
}

extension TeamSummary {
    init(_ message: PBTrustedTeam) throws(WireError) {
        self.init(
            team: try DeveloperTeam(message.team), name: .name(message.name),
            trustedSince: WallTime(milliseconds: message.trustedMs), apps: Int(message.apps))
    }
}

extension PBListedActivity {
    init(_ listed: ListedActivity) {
        self.init()
        offer = PBOffer(listed.offer)
        device = listed.device.bytes.data
        deviceName = listed.deviceName.text
        deviceKind = PBDeviceKind(rawValue: listed.deviceKind.rawValue) ?? .unspecified
        fromThisDevice = listed.isFromThisDevice
        switch listed.target {
        case .app(let bundle): target = .appBundle(bundle.name)
        case .webPage: target = .webPage(true)
        case .script: target = .script(true)
        case .nothing(let why): target = .nothing(why)
        }
        targetName = listed.targetName.text
        browserToo = listed.isForBrowserToo
    }
}

extension ListedActivity {
    init(_ message: PBListedActivity) throws(WireError) {
        let target: Target
        switch message.target {
        case .appBundle(let bundle)?: target = .app(try BundleID(bundle))
        case .webPage?: target = .webPage
        case .script?: target = .script
        case .nothing(let why)?: target = .nothing(why)
        case nil: target = .nothing("of a kind that this version does not know")
        }
        self.init(
            offer: try Offer(message.offer), device: try DeviceID(bytes: message.device),
            deviceName: .name(message.deviceName), deviceKind: DeviceKind(message.deviceKind),
            isFromThisDevice: message.fromThisDevice, target: target, targetName: .name(message.targetName),
            isForBrowserToo: message.browserToo)
    }
}

extension PBPhaseTime {
    init(_ time: PhaseTime) {
        self.init()
        phase = PBPhase(rawValue: time.phase.rawValue) ?? .unspecified
        microseconds = UInt64(clamping: time.duration.wholeMicroseconds)
    }
}

extension PhaseTime {
    init(_ message: PBPhaseTime) throws(WireError) {
        guard let phase = Phase(rawValue: message.phase.rawValue) else {
            throw WireError(.malformed, "a phase that this version does not know")
        }
        self.init(phase, .microseconds(Int64(clamping: message.microseconds)))
    }
}

extension PBContinuationOutcome {
    init(_ outcome: ContinuationOutcome) {
        self.init()
        continuation = outcome.continuation.bytes.data
        phases = outcome.phases.map(PBPhaseTime.init)
        switch outcome.how {
        case .app(let bundle): how = .appBundle(bundle.name)
        case .state(let state): how = .state(PBActivityState(state))
        case .pageShown: how = .pageShown(true)
        }
        targetName = outcome.targetName.text
        if let saved = outcome.saved { savedMs = saved.milliseconds }
    }
}

extension ContinuationOutcome {
    init(_ message: PBContinuationOutcome) throws(WireError) {
        let how: How
        switch message.how {
        case .appBundle(let bundle)?: how = .app(try BundleID(bundle))
        case .state(let state)?: how = .state(try ActivityState(state))
        case .pageShown?: how = .pageShown
        case nil: throw WireError(.missingField, "an outcome without its kind")
        }
        var phases: [PhaseTime] = []
        for phase in message.phases { phases.append(try PhaseTime(phase)) }
        self.init(
            continuation: try ContinuationID(bytes: message.continuation), phases: phases, how: how,
            targetName: .name(message.targetName),
            saved: message.hasSavedMs ? WallTime(milliseconds: message.savedMs) : nil)
    }
}
