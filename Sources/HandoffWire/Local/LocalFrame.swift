// SPDX-License-Identifier: Apache-2.0

/// A frame between the daemon and an app or control client. Local.proto says who sends which.
package struct LocalFrame: Hashable, Sendable {
    /// Not zero: asks for an answer, which repeats this number in `answer`.
    package var request: UInt64
    /// Not zero: answers the request of that number.
    package var answer: UInt64
    package var message: LocalMessage

    package init(_ message: LocalMessage, request: UInt64 = 0, answer: UInt64 = 0) {
        self.request = request
        self.answer = answer
        self.message = message
    }
}

package enum LocalMessage: Hashable, Sendable {
    case hello(LocalHello)
    case welcome(Welcome)
    case failure(Failure)
    /// `accepted`: what the called hook returned; true where there is no hook.
    case done(accepted: Bool)

    case publish(Publication)
    case withdraw(ActivityID)
    case save(ActivityID, deadline: Duration)
    case saved(ActivityState, saving: Duration)
    case wasContinued(ActivityID, deviceName: DisplayText)
    /// The state is not what was saved last.
    case changed(ActivityID)

    case willContinue(ContinuationID, type: ActivityType, originName: DisplayText)
    case continueActivity(ContinuationID, ActivityState)
    case didFail(ContinuationID, type: ActivityType, Failure)

    case getStatus
    case status(DaemonStatus)
    case createAccount
    case showAccount
    case account(AccountSummary)
    case createInvite
    case invite(InviteOffer)
    case inviteUsed(Result<DeviceSummary, Failure>)
    case joinAccount(code: String, address: String?)
    case recoverAccount(RecoverAccount)
    /// `evenAsMember`: it removes itself first.
    case leaveAccount(evenAsMember: Bool)
    /// Nil: this device.
    case renameDevice(String?, to: String)
    /// `onlyAsk`: nothing happens; the answer says which device it would be.
    case removeDevice(String, onlyAsk: Bool)
    case device(DeviceSummary)
    case showLog
    case log([AccountLogEntry])
    case listDevices
    case deviceList([DeviceSummary])
    case listApps
    case appList([AppSummary])
    case reloadApps
    case listActivities(watch: Bool, all: Bool)
    case activityList([ListedActivity])
    case startContinuation(StartContinuation)
    case progress(PhaseTime)
    case outcome(ContinuationOutcome)
    /// X.509, DER.
    case trustTeam(certificate: [UInt8])
    case distrustTeam(TeamFingerprint)
    case listTeams
    case teamList([TeamSummary])

    /// By whom it was continued; answered with a ticket.
    case openStream(ContinuationID)
    case streamTicket(StreamTicket)
    case streamWanted(StreamWanted)
    /// The first frame of a connection of its own.
    case attachStream(StreamToken)
    case streamEnded(StreamEnd)

    case showPolicy
    case setPolicy(PolicyChange)
    case policy(PolicySummary)

    case listSites
    /// Nil: all of them.
    case refreshSites(WebHost?)
    case siteList([SiteSummary])
    case checkWebPage(String)
    case webPageCheck(WebPageCheck)
    case listWebChoices
    /// Nil: nothing is chosen any more.
    case chooseForHost(WebHost, WebTaker?)
    case webChoices([WebChoice])

    /// A message of a newer version: answered with `unimplemented` if it asks for an answer.
    case unknown
}

package enum ClientRole: Int, Sendable, Hashable {
    case unspecified = 0
    /// An app bundle, or a program under development.
    case app = 1
    /// Command line, desktop part, script.
    case control = 2
    /// A web browser of this user: offers pages under the personal team, and shows them.
    case browser = 3
}

package struct LocalHello: Hashable, Sendable {
    package var minimumVersion: UInt32
    package var maximumVersion: UInt32
    package var role: ClientRole
    /// As the app's own Info.plist says; the daemon checks it.
    package var bundle: BundleID?
    package var name: DisplayText
    package var launchToken: LaunchToken?
    /// False: the client publishes only.
    package var receives: Bool

    package init(
        versions: ClosedRange<UInt32> = ProtocolVersion.local, role: ClientRole, bundle: BundleID? = nil,
        name: DisplayText, launchToken: LaunchToken? = nil, receives: Bool = false
    ) {
        self.minimumVersion = versions.lowerBound
        self.maximumVersion = versions.upperBound
        self.role = role
        self.bundle = bundle
        self.name = name
        self.launchToken = launchToken
        self.receives = receives
    }
}

package struct Welcome: Hashable, Sendable {
    package var version: UInt32
    package var deviceName: DisplayText
    /// The daemon knows the bundle, so activities can be continued in it.
    package var isRegistered: Bool
    package var software: DisplayText

    package init(version: UInt32, deviceName: DisplayText, isRegistered: Bool, software: DisplayText) {
        self.version = version
        self.deviceName = deviceName
        self.isRegistered = isRegistered
        self.software = software
    }
}

/// What an app says its user is doing: the activity becomes current, or its description changed.
package struct Publication: Hashable, Sendable {
    package var activity: ActivityID
    package var type: ActivityType
    package var title: DisplayText?
    package var supportsStreams: Bool
    package var hasWebPage: Bool
    package var expires: WallTime?
    /// As in `Offer`.
    package var webHost: WebHost?

    package init(
        activity: ActivityID, type: ActivityType, title: DisplayText? = nil, supportsStreams: Bool = false,
        hasWebPage: Bool = false, expires: WallTime? = nil, webHost: WebHost? = nil
    ) {
        self.activity = activity
        self.type = type
        self.title = title
        self.supportsStreams = supportsStreams
        self.hasWebPage = hasWebPage
        self.expires = expires
        self.webHost = webHost
    }
}

package struct DaemonStatus: Hashable, Sendable {
    package var software = ""
    package var deviceName = DisplayText(cleaning: "")
    /// Nil before the device has a key, which a running daemon always has.
    package var device: DeviceID?
    package var account: AccountID?
    package var listening = ""
    package var warnings: [String] = []
    package var devicesKnown = 0
    package var devicesConnected = 0
    package var activitiesHere = 0
    package var activitiesOffered = 0
    package var appsInstalled = 0
    /// Of `appsInstalled`.
    package var appsInDevelopment = 0
    /// Of `appsInstalled`.
    package var appsNotTrusted = 0
    package var teamsTrusted = 0
    package var pid = 0
    package var uptime: Duration = .zero
    package var policy = PolicySummary()

    package init() {}
}

package struct AccountSummary: Hashable, Sendable {
    package var account: AccountID
    package var devices: [DeviceSummary]
    /// In the answer that made the account, and never again.
    package var recoveryKey: String?

    package init(account: AccountID, devices: [DeviceSummary], recoveryKey: String? = nil) {
        self.account = account
        self.devices = devices
        self.recoveryKey = recoveryKey
    }
}

package struct InviteOffer: Hashable, Sendable {
    package var code: String
    package var expires: WallTime
    /// Where this device can be reached: HOST:PORT.
    package var addresses: [String]

    package init(code: String, expires: WallTime, addresses: [String]) {
        self.code = code
        self.expires = expires
        self.addresses = addresses
    }
}

package struct DeviceSummary: Hashable, Sendable {
    package var device: DeviceID
    package var name: DisplayText
    package var kind: DeviceKind
    package var isThisDevice: Bool
    package var isConnected: Bool
    /// Of the session, or the last one that worked.
    package var address: String
    package var admitted: WallTime
    /// Nil for the founder.
    package var admittedBy: DisplayText?

    package init(
        device: DeviceID, name: DisplayText, kind: DeviceKind, isThisDevice: Bool, isConnected: Bool, address: String,
        admitted: WallTime, admittedBy: DisplayText?
    ) {
        self.device = device
        self.name = name
        self.kind = kind
        self.isThisDevice = isThisDevice
        self.isConnected = isConnected
        self.address = address
        self.admitted = admitted
        self.admittedBy = admittedBy
    }
}

package struct AppSummary: Hashable, Sendable {
    package var bundle: BundleID
    package var name: DisplayText
    package var version: String
    package var team: Team
    /// As its certificate says; nil for the personal team.
    package var teamName: DisplayText?
    /// Installed unsigned, for this device alone.
    package var isInDevelopment: Bool
    /// False: its team is not trusted here, so it takes no part.
    package var isTrusted: Bool
    package var activityTypes: [ActivityType]
    package var path: String
    package var isRunning: Bool

    package init(
        bundle: BundleID, name: DisplayText, version: String, team: Team, teamName: DisplayText?,
        isInDevelopment: Bool, isTrusted: Bool, activityTypes: [ActivityType], path: String, isRunning: Bool
    ) {
        self.bundle = bundle
        self.name = name
        self.version = version
        self.team = team
        self.teamName = teamName
        self.isInDevelopment = isInDevelopment
        self.isTrusted = isTrusted
        self.activityTypes = activityTypes
        self.path = path
        self.isRunning = isRunning
    }
}

/// A developer team whose apps take part here.
package struct TeamSummary: Hashable, Sendable {
    package var team: DeveloperTeam
    /// As its certificate says.
    package var name: DisplayText
    package var trustedSince: WallTime
    /// Of it, installed here, count.
    package var apps: Int

    package init(team: DeveloperTeam, name: DisplayText, trustedSince: WallTime, apps: Int) {
        self.team = team
        self.name = name
        self.trustedSince = trustedSince
        self.apps = apps
    }
}

package struct ListedActivity: Hashable, Sendable {
    /// What a continuation of it would do on this device.
    package enum Target: Hashable, Sendable {
        case app(BundleID)
        case webPage
        case script
        /// Nothing, and why.
        case nothing(String)
    }

    package var offer: Offer
    package var device: DeviceID
    package var deviceName: DisplayText
    package var deviceKind: DeviceKind
    package var isFromThisDevice: Bool
    package var target: Target
    /// The app's, or that of the browser that runs.
    package var targetName: DisplayText
    /// An app would take it, and a browser could.
    package var isForBrowserToo: Bool

    /// Something on this device goes on with it.
    package var isContinuable: Bool {
        if case .nothing = target { false } else { true }
    }

    package init(
        offer: Offer, device: DeviceID, deviceName: DisplayText, deviceKind: DeviceKind, isFromThisDevice: Bool,
        target: Target, targetName: DisplayText, isForBrowserToo: Bool = false
    ) {
        self.offer = offer
        self.device = device
        self.deviceName = deviceName
        self.deviceKind = deviceKind
        self.isFromThisDevice = isFromThisDevice
        self.target = target
        self.targetName = targetName
        self.isForBrowserToo = isForBrowserToo
    }
}

package struct StartContinuation: Hashable, Sendable {
    package var activity: ActivityID
    /// Nil: whichever device offers it.
    package var device: DeviceID?
    /// Nil: chosen by the rules.
    package var app: BundleID?
    /// Its web page, also where an app would take it. Not with `app`.
    package var inBrowser: Bool

    package init(activity: ActivityID, device: DeviceID? = nil, app: BundleID? = nil, inBrowser: Bool = false) {
        self.activity = activity
        self.device = device
        self.app = app
        self.inBrowser = inBrowser
    }
}

/// The parts of a continuation whose times its user can read.
package enum Phase: Int, Sendable, Hashable, CaseIterable {
    case resolve = 1
    case launch = 2
    case willContinue = 3
    case fetch = 4
    /// A part of `fetch`, spent in the origin's app.
    case willSave = 5
    case deliver = 6
}

package struct PhaseTime: Hashable, Sendable {
    package var phase: Phase
    package var duration: Duration

    package init(_ phase: Phase, _ duration: Duration) {
        self.phase = phase
        self.duration = duration
    }
}

package struct ContinuationOutcome: Hashable, Sendable {
    package enum How: Hashable, Sendable {
        /// This app has it.
        case app(BundleID)
        /// For a script, or a web page that the client opens: here it is.
        case state(ActivityState)
        /// A running browser shows its web page.
        case pageShown
    }

    package var continuation: ContinuationID
    package var phases: [PhaseTime]
    package var how: How
    package var targetName: DisplayText
    /// The origin's app has quit: when it had saved the state.
    package var saved: WallTime?

    package init(
        continuation: ContinuationID, phases: [PhaseTime], how: How, targetName: DisplayText, saved: WallTime? = nil
    ) {
        self.continuation = continuation
        self.phases = phases
        self.how = how
        self.targetName = targetName
        self.saved = saved
    }
}
