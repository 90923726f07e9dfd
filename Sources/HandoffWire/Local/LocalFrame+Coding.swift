// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalFrame {
    /// The frame's body, without its header.
    package func encoded() throws(WireError) -> [UInt8] {
        var frame = PBLocalFrame()
        frame.request = request
        frame.answer = answer
        frame.body = message.wire
        return try frame.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        let frame = try PBLocalFrame.decode(bytes)
        self.init(try LocalMessage(frame.body), request: frame.request, answer: frame.answer)
    }
}

extension LocalMessage {
    /// Nil for `unknown`.
    fileprivate var wire: PBLocalFrame.OneOf_Body? {
        switch self {
        case .hello(let hello): .hello(PBLocalHello(hello))
        case .welcome(let welcome):
            .welcome(
                .with {
                    $0.version = welcome.version
                    $0.deviceName = welcome.deviceName.text
                    $0.registered = welcome.isRegistered
                    $0.software = welcome.software.text
                })
        case .failure(let failure): .failure(PBFailure(failure))
        case .done(let accepted): .done(.with { $0.accepted = accepted })

        case .publish(let publication): .publish(PBPublishActivity(publication))
        case .withdraw(let activity): .withdraw(.with { $0.activity = activity.bytes.data })
        case .save(let activity, let deadline):
            .save(
                .with {
                    $0.activity = activity.bytes.data
                    $0.deadlineMs = UInt32(clamping: deadline.wholeMilliseconds)
                })
        case .saved(let state, let saving):
            .saved(
                .with {
                    $0.state = PBActivityState(state)
                    $0.saveMicroseconds = UInt32(clamping: saving.wholeMicroseconds)
                })
        case .wasContinued(let activity, let deviceName):
            .wasContinued(
                .with {
                    $0.activity = activity.bytes.data
                    $0.deviceName = deviceName.text
                })
        case .changed(let activity): .changed(.with { $0.activity = activity.bytes.data })

        case .willContinue(let continuation, let type, let originName):
            .willContinue(
                .with {
                    $0.continuation = continuation.bytes.data
                    $0.activityType = type.name
                    $0.originDeviceName = originName.text
                })
        case .continueActivity(let continuation, let state):
            .continueActivity(
                .with {
                    $0.continuation = continuation.bytes.data
                    $0.state = PBActivityState(state)
                })
        case .didFail(let continuation, let type, let failure):
            .didFail(
                .with {
                    $0.continuation = continuation.bytes.data
                    $0.activityType = type.name
                    $0.failure = PBFailure(failure)
                })

        case .getStatus: .getStatus(PBStatusRequest())
        case .status(let status): .status(PBStatus(status))
        case .createAccount: .createAccount(PBCreateAccount())
        case .showAccount: .showAccount(PBShowAccount())
        case .account(let account):
            .account(
                .with {
                    $0.account = account.account.bytes.data
                    $0.devices = account.devices.map(PBDevice.init)
                    $0.recoveryKey = account.recoveryKey ?? ""
                })
        case .createInvite: .createInvite(PBCreateInvite())
        case .invite(let invite):
            .invite(
                .with {
                    $0.code = invite.code
                    $0.expiresMs = invite.expires.milliseconds
                    $0.addresses = invite.addresses
                })
        case .inviteUsed(.success(let device)): .inviteUsed(.with { $0.joined = PBDevice(device) })
        case .inviteUsed(.failure(let failure)): .inviteUsed(.with { $0.ended = PBFailure(failure) })
        case .joinAccount(let code, let address):
            .joinAccount(
                .with {
                    $0.code = code
                    $0.address = address ?? ""
                })
        case .recoverAccount(let recover): .recoverAccount(PBRecoverAccount(recover))
        case .leaveAccount(let evenAsMember): .leaveAccount(.with { $0.evenAsMember = evenAsMember })
        case .renameDevice(let device, let name):
            .renameDevice(
                .with {
                    $0.device = device ?? ""
                    $0.name = name
                })
        case .removeDevice(let device, let onlyAsk):
            .removeDevice(
                .with {
                    $0.device = device
                    $0.onlyAsk = onlyAsk
                })
        case .device(let device): .device(PBDevice(device))
        case .showLog: .showLog(PBShowLog())
        case .log(let entries): .log(.with { $0.entries = entries.map(PBLogEntry.init) })
        case .listDevices: .listDevices(PBListDevices())
        case .deviceList(let devices): .deviceList(.with { $0.devices = devices.map(PBDevice.init) })
        case .listApps: .listApps(PBListApps())
        case .appList(let apps): .appList(.with { $0.apps = apps.map(PBApp.init) })
        case .reloadApps: .reloadApps(PBReloadApps())
        case .listActivities(let watch, let all):
            .listActivities(
                .with {
                    $0.watch = watch
                    $0.all = all
                })
        case .activityList(let activities):
            .activityList(.with { $0.activities = activities.map(PBListedActivity.init) })
        case .startContinuation(let start):
            .startContinuation(
                .with {
                    $0.activity = start.activity.bytes.data
                    $0.device = (start.device?.bytes ?? []).data
                    $0.appBundle = start.app?.name ?? ""
                    $0.inBrowser = start.inBrowser
                })
        case .progress(let time): .progress(.with { $0.finished = PBPhaseTime(time) })
        case .outcome(let outcome): .outcome(PBContinuationOutcome(outcome))
        case .openStream(let continuation): .openStream(.with { $0.continuation = continuation.bytes.data })
        case .streamTicket(let ticket): .streamTicket(PBStreamTicket(ticket))
        case .streamWanted(let wanted): .streamWanted(PBStreamWanted(wanted))
        case .attachStream(let token): .attachStream(.with { $0.token = token.bytes.data })
        case .streamEnded(let end): .streamEnded(PBStreamEnded(end))
        case .showPolicy: .showPolicy(PBShowPolicy())
        case .setPolicy(let change): .setPolicy(PBSetPolicy(change))
        case .policy(let policy): .policy(PBPolicy(policy))
        case .listSites: .listSites(PBListSites())
        case .refreshSites(let host): .refreshSites(.with { $0.host = host?.name ?? "" })
        case .siteList(let sites): .siteList(.with { $0.sites = sites.map(PBSite.init) })
        case .checkWebPage(let url): .checkWebPage(.with { $0.url = url })
        case .webPageCheck(let check): .webPageCheck(PBWebPageCheck(check))
        case .listWebChoices: .listWebChoices(PBListWebChoices())
        case .chooseForHost(let host, let taker): .chooseForHost(PBChooseForHost(host, taker))
        case .webChoices(let choices): .webChoices(.with { $0.choices = choices.map(PBWebChoice.init) })
        case .trustTeam(let certificate): .trustTeam(.with { $0.certificate = certificate.data })
        case .distrustTeam(let key): .distrustTeam(.with { $0.key = key.bytes.data })
        case .listTeams: .listTeams(PBListTeams())
        case .teamList(let teams): .teamList(.with { $0.teams = teams.map(PBTrustedTeam.init) })
        case .unknown: nil
        }
    }

    fileprivate init(_ body: PBLocalFrame.OneOf_Body?) throws(WireError) {
        switch body {
        case .hello(let hello)?: self = .hello(try LocalHello(hello))
        case .welcome(let welcome)?:
            self = .welcome(
                Welcome(
                    version: welcome.version, deviceName: .name(welcome.deviceName), isRegistered: welcome.registered,
                    software: .name(welcome.software)))
        case .failure(let failure)?: self = .failure(Failure(failure))
        case .done(let done)?: self = .done(accepted: done.accepted)

        case .publish(let publication)?: self = .publish(try Publication(publication))
        case .withdraw(let withdraw)?: self = .withdraw(try ActivityID(bytes: withdraw.activity))
        case .save(let save)?:
            self = .save(try ActivityID(bytes: save.activity), deadline: .milliseconds(Int64(save.deadlineMs)))
        case .saved(let saved)?:
            self = .saved(try ActivityState(saved.state), saving: .microseconds(Int64(saved.saveMicroseconds)))
        case .wasContinued(let message)?:
            self = .wasContinued(try ActivityID(bytes: message.activity), deviceName: .name(message.deviceName))
        case .changed(let changed)?: self = .changed(try ActivityID(bytes: changed.activity))

        case .willContinue(let message)?:
            self = .willContinue(
                try ContinuationID(bytes: message.continuation), type: try ActivityType(message.activityType),
                originName: .name(message.originDeviceName))
        case .continueActivity(let message)?:
            self = .continueActivity(
                try ContinuationID(bytes: message.continuation), try ActivityState(message.state))
        case .didFail(let message)?:
            self = .didFail(
                try ContinuationID(bytes: message.continuation), type: try ActivityType(message.activityType),
                Failure(message.failure))

        case .getStatus?: self = .getStatus
        case .status(let status)?: self = .status(try DaemonStatus(status))
        case .createAccount?: self = .createAccount
        case .showAccount?: self = .showAccount
        case .account(let account)?:
            self = .account(
                AccountSummary(
                    account: try AccountID(bytes: account.account), devices: try account.devices.native(),
                    recoveryKey: account.recoveryKey.isEmpty ? nil : account.recoveryKey))
        case .createInvite?: self = .createInvite
        case .invite(let invite)?:
            self = .invite(
                InviteOffer(
                    code: invite.code, expires: WallTime(milliseconds: invite.expiresMs), addresses: invite.addresses))
        case .inviteUsed(let used)?:
            switch used.what {
            case .joined(let device)?: self = .inviteUsed(.success(try DeviceSummary(device)))
            case .ended(let failure)?: self = .inviteUsed(.failure(Failure(failure)))
            case nil: throw WireError(.missingField, "an invite's end without a reason")
            }
        case .joinAccount(let join)?:
            self = .joinAccount(code: join.code, address: join.address.isEmpty ? nil : join.address)
        case .recoverAccount(let recover)?:
            self = .recoverAccount(
                RecoverAccount(key: recover.key, removeOthers: recover.removeOthers, remove: recover.remove))
        case .leaveAccount(let leave)?: self = .leaveAccount(evenAsMember: leave.evenAsMember)
        case .renameDevice(let rename)?:
            self = .renameDevice(rename.device.isEmpty ? nil : rename.device, to: rename.name)
        case .removeDevice(let remove)?: self = .removeDevice(remove.device, onlyAsk: remove.onlyAsk)
        case .device(let device)?: self = .device(try DeviceSummary(device))
        case .showLog?: self = .showLog
        case .log(let log)?:
            var entries: [AccountLogEntry] = []
            for entry in log.entries { entries.append(try AccountLogEntry(entry)) }
            self = .log(entries)
        case .listDevices?: self = .listDevices
        case .deviceList(let list)?: self = .deviceList(try list.devices.native())
        case .listApps?: self = .listApps
        case .appList(let list)?:
            var apps: [AppSummary] = []
            for app in list.apps { apps.append(try AppSummary(app)) }
            self = .appList(apps)
        case .reloadApps?: self = .reloadApps
        case .listActivities(let list)?: self = .listActivities(watch: list.watch, all: list.all)
        case .activityList(let list)?:
            var activities: [ListedActivity] = []
            for activity in list.activities { activities.append(try ListedActivity(activity)) }
            self = .activityList(activities)
        case .startContinuation(let start)?:
            self = .startContinuation(
                StartContinuation(
                    activity: try ActivityID(bytes: start.activity),
                    device: start.device.isEmpty ? nil : try DeviceID(bytes: start.device),
                    app: start.appBundle.isEmpty ? nil : try BundleID(start.appBundle), inBrowser: start.inBrowser))
        case .progress(let progress)?: self = .progress(try PhaseTime(progress.finished))
        case .outcome(let outcome)?: self = .outcome(try ContinuationOutcome(outcome))
        case .openStream(let open)?: self = .openStream(try ContinuationID(bytes: open.continuation))
        case .streamTicket(let ticket)?: self = .streamTicket(try StreamTicket(ticket))
        case .streamWanted(let wanted)?: self = .streamWanted(try StreamWanted(wanted))
        case .attachStream(let attach)?: self = .attachStream(try StreamToken(bytes: attach.token))
        case .streamEnded(let end)?: self = .streamEnded(try StreamEnd(end))
        case .showPolicy?: self = .showPolicy
        case .setPolicy(let change)?: self = .setPolicy(try PolicyChange(change))
        case .policy(let policy)?: self = .policy(try PolicySummary(policy))
        case .listSites?: self = .listSites
        case .refreshSites(let refresh)?:
            self = .refreshSites(refresh.host.isEmpty ? nil : try WebHost(wire: refresh.host))
        case .siteList(let list)?: self = .siteList(try [SiteSummary](list.sites))
        case .checkWebPage(let check)?: self = .checkWebPage(check.url)
        case .webPageCheck(let check)?: self = .webPageCheck(try WebPageCheck(check))
        case .listWebChoices?: self = .listWebChoices
        case .chooseForHost(let choose)?:
            self = .chooseForHost(try WebHost(wire: choose.host), try WebTaker?(choose.choice))
        case .webChoices(let list)?:
            var choices: [WebChoice] = []
            for choice in list.choices { choices.append(try WebChoice(choice)) }
            self = .webChoices(choices)
        case .trustTeam(let trust)?: self = .trustTeam(certificate: Array(trust.certificate))
        case .distrustTeam(let distrust)?: self = .distrustTeam(try TeamFingerprint(bytes: distrust.key))
        case .listTeams?: self = .listTeams
        case .teamList(let list)?:
            var teams: [TeamSummary] = []
            for team in list.teams { teams.append(try TeamSummary(team)) }
            self = .teamList(teams)
        case nil: self = .unknown
        }
    }
}

extension DisplayText {
    static func name(_ raw: String) -> DisplayText { DisplayText(cleaning: raw, limit: Limits.nameCharacters) }
}

extension [PBDevice] {
    fileprivate func native() throws(WireError) -> [DeviceSummary] {
        var devices: [DeviceSummary] = []
        for device in self { devices.append(try DeviceSummary(device)) }
        return devices
    }
}
