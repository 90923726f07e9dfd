// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage.Identity {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .createAccount: .createAccount(PBCreateAccount())
        case .showAccount: .showAccount(PBShowAccount())
        case .account(let account): .account(PBAccount(account))
        case .createInvite(let asking, let announced):
            .createInvite(
                .with {
                    $0.withoutAsking = !asking
                    $0.announced = announced
                })
        case .invite(let invite): .invite(PBInvite(invite))
        case .inviteUsed(.success(let device)): .inviteUsed(.with { $0.joined = PBDevice(device) })
        case .inviteUsed(.failure(let failure)): .inviteUsed(.with { $0.ended = PBFailure(failure) })
        case .joinAsked(let request):
            .joinAsked(
                .with {
                    $0.device = request.device.bytes.data
                    $0.name = request.name.text
                    $0.kind = PBDeviceKind(rawValue: request.kind.rawValue) ?? .unspecified
                    $0.source = request.source
                    $0.number = request.number
                })
        case .answerJoin(let device, let admit):
            .answerJoin(
                .with {
                    $0.device = device.bytes.data
                    $0.admit = admit
                })
        case .joinLeft(let device): .joinLeft(.with { $0.device = device.bytes.data })
        case .listNearby: .listNearby(PBListNearby())
        case .nearbyList(let invites): .nearbyList(.with { $0.invites = invites.map(PBNearbyInvite.init) })
        case .joinNumber(let number): .joinNumber(.with { $0.number = number })
        case .confirmJoin(let matches): .confirmJoin(.with { $0.matches = matches })
        case .joinAccount(let code, let address, let nearby):
            .joinAccount(
                .with {
                    $0.code = code
                    $0.address = address ?? ""
                    $0.nearby = nearby
                })
        case .showRecoveryKey: .showRecoveryKey(PBShowRecoveryKey())
        case .confirmRecoveryKey: .confirmRecoveryKey(PBConfirmRecoveryKey())
        case .newRecoveryKey(let evenWithOthers): .newRecoveryKey(.with { $0.evenWithOthers = evenWithOthers })
        case .recoverAccount(let recover): .recoverAccount(PBRecoverAccount(recover))
        case .leaveAccount(let evenAsMember): .leaveAccount(.with { $0.evenAsMember = evenAsMember })
        case .renameDevice(let device, let name):
            .renameDevice(
                .with {
                    $0.device = device ?? ""
                    $0.name = name
                })
        case .removeDevice(let device, let onlyAsk, let withAdmitted):
            .removeDevice(
                .with {
                    $0.device = device
                    $0.onlyAsk = onlyAsk
                    $0.withAdmitted = withAdmitted
                })
        case .device(let device): .device(PBDevice(device))
        case .listDevices(let watch, let isPatient):
            .listDevices(
                .with {
                    $0.watch = watch
                    $0.patient = isPatient
                })
        case .deviceList(let devices): .deviceList(.with { $0.devices = devices.map(PBDevice.init) })
        case .showLog: .showLog(PBShowLog())
        case .log(let entries): .log(.with { $0.entries = entries.map(PBLogEntry.init) })
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .createAccount: self = .createAccount
        case .showAccount: self = .showAccount
        case .account(let account): self = .account(try AccountSummary(account))
        case .createInvite(let invite):
            self = .createInvite(asking: !invite.withoutAsking, announced: invite.announced)
        case .invite(let invite): self = .invite(InviteOffer(invite))
        case .inviteUsed(let used):
            switch used.what {
            case .joined(let device)?: self = .inviteUsed(.success(try DeviceSummary(device)))
            case .ended(let failure)?: self = .inviteUsed(.failure(Failure(failure)))
            case nil: throw WireError(.missingField, "the end of an invite without a reason")
            }
        case .joinAsked(let asked):
            self = .joinAsked(
                JoinRequestSummary(
                    device: try DeviceID(bytes: asked.device), name: .name(asked.name), kind: DeviceKind(asked.kind),
                    source: asked.source, number: asked.number))
        case .answerJoin(let answer): self = .answerJoin(try DeviceID(bytes: answer.device), admit: answer.admit)
        case .joinLeft(let left): self = .joinLeft(try DeviceID(bytes: left.device))
        case .listNearby: self = .listNearby
        case .nearbyList(let list): self = .nearbyList(list.invites.map(NearbyInvite.init))
        case .joinNumber(let join): self = .joinNumber(join.number)
        case .confirmJoin(let confirm): self = .confirmJoin(matches: confirm.matches)
        case .joinAccount(let join):
            self = .joinAccount(
                code: join.code, address: join.address.isEmpty ? nil : join.address, nearby: join.nearby)
        case .showRecoveryKey: self = .showRecoveryKey
        case .confirmRecoveryKey: self = .confirmRecoveryKey
        case .newRecoveryKey(let wish): self = .newRecoveryKey(evenWithOthers: wish.evenWithOthers)
        case .recoverAccount(let recover):
            self = .recoverAccount(
                RecoverAccount(key: recover.key, removeOthers: recover.removeOthers, remove: recover.remove))
        case .leaveAccount(let leave): self = .leaveAccount(evenAsMember: leave.evenAsMember)
        case .renameDevice(let rename):
            self = .renameDevice(rename.device.isEmpty ? nil : rename.device, to: rename.name)
        case .removeDevice(let remove):
            self = .removeDevice(remove.device, onlyAsk: remove.onlyAsk, withAdmitted: remove.withAdmitted)
        case .device(let device): self = .device(try DeviceSummary(device))
        case .listDevices(let list): self = .listDevices(watch: list.watch, isPatient: list.patient)
        case .deviceList(let list): self = .deviceList(try list.devices.native())
        case .showLog: self = .showLog
        case .log(let log):
            var entries: [AccountLogEntry] = []
            for entry in log.entries { entries.append(try AccountLogEntry(entry)) }
            self = .log(entries)
        default: return nil
        }
    }
}

extension PBAccount {
    init(_ summary: AccountSummary) {
        self.init()
        account = summary.account.bytes.data
        devices = summary.devices.map(PBDevice.init)
        recoveryKey = summary.recoveryKey ?? ""
    }
}

extension AccountSummary {
    init(_ message: PBAccount) throws(WireError) {
        self.init(
            account: try AccountID(bytes: message.account), devices: try message.devices.native(),
            recoveryKey: message.recoveryKey.isEmpty ? nil : message.recoveryKey)
    }
}

extension PBInvite {
    init(_ invite: InviteOffer) {
        self.init()
        code = invite.code
        expiresMs = invite.expires.milliseconds
        addresses = invite.addresses
        announcedAs = invite.announcedAs?.text ?? ""
    }
}

extension InviteOffer {
    init(_ message: PBInvite) {
        self.init(
            code: message.code, expires: WallTime(milliseconds: message.expiresMs), addresses: message.addresses,
            announcedAs: message.announcedAs.isEmpty ? nil : .name(message.announcedAs))
    }
}

extension PBNearbyInvite {
    init(_ invite: NearbyInvite) {
        self.init()
        code = invite.code
        name = invite.name.text
        kind = PBDeviceKind(rawValue: invite.kind.rawValue) ?? .unspecified
        address = invite.address
    }
}

extension NearbyInvite {
    init(_ message: PBNearbyInvite) {
        self.init(
            code: message.code, name: .name(message.name), kind: DeviceKind(message.kind), address: message.address)
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
        admittedByFormer = summary.isAdmitterRemoved
        if let seen = summary.lastSeen { lastSeenMs = seen.milliseconds }
        software = summary.software?.text ?? ""
        problem = summary.problem?.text ?? ""
        if let clock = summary.clock { clockMs = clock.wholeMilliseconds }
        admitted = summary.dependents.map(PBDevice.init)
        alsoRemoved = summary.alsoRemoved.map(PBDevice.init)
    }
}

extension DeviceSummary {
    /// Without lists of its own; otherwise a frame could nest devices arbitrarily deep.
    init(_ message: PBDevice) throws(WireError) {
        try self.init(alone: message)
        for device in message.admitted { dependents.append(try DeviceSummary(alone: device)) }
        for device in message.alsoRemoved { alsoRemoved.append(try DeviceSummary(alone: device)) }
    }

    private init(alone message: PBDevice) throws(WireError) {
        self.init(
            device: try DeviceID(bytes: message.device), name: .name(message.name), kind: DeviceKind(message.kind),
            isThisDevice: message.thisDevice, isConnected: message.connected, address: message.address,
            admitted: WallTime(milliseconds: message.admittedMs),
            admittedBy: message.admittedBy.isEmpty ? nil : .name(message.admittedBy),
            isAdmitterRemoved: message.admittedByFormer,
            lastSeen: message.hasLastSeenMs ? WallTime(milliseconds: message.lastSeenMs) : nil)
        if !message.software.isEmpty {
            software = DisplayText(cleaning: message.software, limit: Limits.nameCharacters)
        }
        if !message.problem.isEmpty {
            problem = DisplayText(cleaning: message.problem, limit: Limits.titleCharacters)
        }
        clock = message.hasClockMs ? .milliseconds(message.clockMs) : nil
    }
}

extension [PBDevice] {
    fileprivate func native() throws(WireError) -> [DeviceSummary] {
        var devices: [DeviceSummary] = []
        for device in self { devices.append(try DeviceSummary(device)) }
        return devices
    }
}

extension PBRecoverAccount {
    init(_ recover: RecoverAccount) {
        self.init()
        key = recover.key
        removeOthers = recover.removeOthers
        remove = recover.remove
    }
}

extension PBLogEntry {
    init(_ entry: AccountLogEntry) {
        self.init()
        switch entry.what {
        case .founded: what = .founded
        case .admitted: what = .admitted
        case .renamed(let name):
            what = .renamed
            newName = name.text
        case .removed: what = .removed
        case .recovered: what = .recovered
        }
        timeMs = entry.time.milliseconds
        device = entry.device.bytes.data
        name = entry.name.text
        by = (entry.by?.bytes ?? []).data
        byName = entry.byName?.text ?? ""
        counts = entry.counts
    }
}

extension AccountLogEntry {
    init(_ message: PBLogEntry) throws(WireError) {
        let what: What
        switch message.what {
        case .founded: what = .founded
        case .admitted: what = .admitted
        case .renamed: what = .renamed(.name(message.newName))
        case .removed: what = .removed
        case .recovered: what = .recovered
        case .unspecified, .UNRECOGNIZED: throw WireError(.unknownKind, "a log entry that this version does not know")
        }
        self.init(
            what: what, time: WallTime(milliseconds: message.timeMs), device: try DeviceID(bytes: message.device),
            name: .name(message.name), by: message.by.isEmpty ? nil : try DeviceID(bytes: message.by),
            byName: message.byName.isEmpty ? nil : .name(message.byName), counts: message.counts)
    }
}
