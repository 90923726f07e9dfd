// SPDX-License-Identifier: Apache-2.0

@testable import HandoffWire

/// One frame of every kind, with every field set in at least one. Constant, because test vectors have the same bytes.
enum SampleFrames {
    static let activity = try! ActivityID(bytes: Array(0..<16))
    static let continuation = try! ContinuationID(bytes: Array(16..<32))
    static let device = try! DeviceID(bytes: Array(32..<64))
    static let account = try! AccountID(bytes: Array(64..<96))
    static let token = try! LaunchToken(bytes: Array(96..<128))
    static let streamTicket = StreamTicket(
        stream: try! StreamID(bytes: Array(160..<176)), token: try! StreamToken(bytes: Array(176..<208)))
    static let type = try! ActivityType("com.xamarin.monkeybrowser.tab1")
    static let bundle = try! BundleID("com.xamarin.monkeybrowser")
    static let team = Team.developer(developer)
    static let developer = DeveloperTeam(
        id: try! TeamID("ABCDE12345"), key: try! TeamFingerprint(bytes: Array(128..<160)))
    static let noon = WallTime(milliseconds: 1_800_000_000_000)
    static let laptop = DisplayText(cleaning: "Anna's laptop")
    static let failure = Failure(.appTimedOut, "the app did not save in time")

    static let localOfActivities: [(name: String, frame: LocalFrame)] = [
        (
            "hello",
            LocalFrame(
                .hello(LocalHello(role: .app, bundle: bundle, name: laptop, launchToken: token, receives: true)),
                request: 1)
        ),
        (
            "welcome",
            LocalFrame(
                .welcome(
                    Welcome(
                        version: 1, deviceName: laptop, isRegistered: true,
                        software: DisplayText(cleaning: "handoffd 0.1"))), answer: 1)
        ),
        (
            "welcome: to a command",
            LocalFrame(
                .welcome(
                    Welcome(
                        version: 1, deviceName: laptop, isRegistered: false,
                        software: DisplayText(cleaning: "handoffd 0.1"),
                        places: DaemonPlaces(
                            state: "/home/ann/.local/state/handoff", configuration: "/home/ann/.config/handoff",
                            apps: "/home/ann/.local/share/handoff/apps"))), answer: 1)
        ),
        ("failure", LocalFrame(.failure(failure), answer: 2)),
        ("done", LocalFrame(.done(accepted: true), answer: 2)),
        (
            "publish",
            LocalFrame(
                .advertising(
                    .publish(
                        Publication(
                            activity: activity, type: type, title: DisplayText(cleaning: "Weather"),
                            supportsStreams: true,
                            hasWebPage: true, expires: noon))), request: 3)
        ),
        ("withdraw", LocalFrame(.advertising(.withdraw(activity)), request: 4)),
        ("save", LocalFrame(.advertising(.save(activity, deadline: .milliseconds(8000))), request: 1)),
        ("saved", LocalFrame(.advertising(.saved(state, saving: .microseconds(900))), answer: 1)),
        ("was continued", LocalFrame(.continuation(.wasContinued(activity, deviceName: laptop)))),
        ("changed", LocalFrame(.advertising(.changed(activity)))),
        ("open stream", LocalFrame(.streams(.openStream(continuation)), request: 6)),
        ("stream ticket", LocalFrame(.streams(.streamTicket(streamTicket)), answer: 6)),
        (
            "stream wanted",
            LocalFrame(
                .streams(
                    .streamWanted(
                        StreamWanted(
                            activity: activity, continuation: continuation, ticket: streamTicket, deviceName: laptop))),
                request: 4)
        ),
        ("attach stream", LocalFrame(.streams(.attachStream(streamTicket.token)), request: 1)),
        (
            "stream ended",
            LocalFrame(.streams(.streamEnded(StreamEnd(stream: streamTicket.stream, byteCount: 1 << 40))))
        ),
        (
            "stream cut",
            LocalFrame(
                .streams(
                    .streamEnded(
                        StreamEnd(stream: streamTicket.stream, byteCount: 0, failure: Failure(.deviceLost, "")))))
        ),
        (
            "will continue",
            LocalFrame(.continuation(.willContinue(continuation, type: type, originName: laptop)), request: 2)
        ),
        ("continue", LocalFrame(.continuation(.continueActivity(continuation, state)), request: 3)),
        ("did fail", LocalFrame(.continuation(.didFail(continuation, type: type, failure)))),
        ("get status", LocalFrame(.status(.getStatus), request: 5)),
        (
            "status",
            LocalFrame(
                .status(
                    .status(
                        {
                            var status = DaemonStatus()
                            status.software = "handoffd 0.1"
                            status.deviceName = laptop
                            status.device = device
                            status.account = account
                            status.listening = "0.0.0.0:7737"
                            status.warnings = ["no multicast on eth0"]
                            status.devicesKnown = 3
                            status.devicesConnected = 2
                            status.activitiesHere = 1
                            status.activitiesOffered = 4
                            status.appsInstalled = 5
                            status.appsInDevelopment = 2
                            status.appsNotTrusted = 1
                            status.teamsTrusted = 3
                            status.pid = 4242
                            status.uptime = .seconds(60)
                            status.policy.off = [PolicySwitch(PolicySubject(.receiving))]
                            status.strangers = ["192.0.2.7"]
                            status.wasReached = true
                            return status
                        }())), answer: 5)
        ),
        (
            "status of a removed device",
            LocalFrame(
                .status(
                    .status(
                        {
                            var status = DaemonStatus()
                            status.membershipEnd = .removed(by: laptop)
                            return status
                        }())), answer: 5)
        ),
        ("create account", LocalFrame(.identity(.createAccount), request: 6)),
        ("show account", LocalFrame(.identity(.showAccount), request: 7)),
        (
            "account",
            LocalFrame(.identity(.account(AccountSummary(account: account, devices: [deviceSummary]))), answer: 6)
        ),
        ("create invite", LocalFrame(.identity(.createInvite(asking: true)), request: 8)),
        (
            "invite",
            LocalFrame(
                .identity(.invite(InviteOffer(code: "ABCDEFG-HIJKLMN", expires: noon, addresses: ["192.0.2.1:7737"]))),
                answer: 8)
        ),
        ("invite used: joined", LocalFrame(.identity(.inviteUsed(.success(deviceSummary))), answer: 8)),
        (
            "invite used: ended",
            LocalFrame(.identity(.inviteUsed(.failure(Failure(.inviteExpired, "five minutes")))), answer: 8)
        ),
        (
            "join asked",
            LocalFrame(
                .identity(
                    .joinAsked(
                        JoinRequestSummary(
                            device: deviceSummary.device, name: DisplayText(cleaning: "desktop"), kind: .desktop,
                            source: "192.0.2.1", number: "048291"))), answer: 8)
        ),
        ("answer join", LocalFrame(.identity(.answerJoin(deviceSummary.device, admit: true)), request: 10)),
        ("join number", LocalFrame(.identity(.joinNumber("048291")), answer: 9)),
        (
            "create invite without asking", LocalFrame(.identity(.createInvite(asking: false)), request: 8)
        ),
        ("join", LocalFrame(.identity(.joinAccount(code: "ABCDEFG-HIJKLMN", address: "192.0.2.1:7737")), request: 9)),
        (
            "account with its key",
            LocalFrame(
                .identity(
                    .account(
                        AccountSummary(account: account, devices: [], recoveryKey: "ABCDE-FGHIJ"))), answer: 6)
        ),
        (
            "recover account",
            LocalFrame(
                .identity(.recoverAccount(RecoverAccount(key: "ABCDE-FGHIJ", removeOthers: true, remove: ["laptop"]))),
                request: 15
            )
        ),
        ("leave account", LocalFrame(.identity(.leaveAccount(evenAsMember: true)), request: 16)),
        ("rename device", LocalFrame(.identity(.renameDevice("laptop", to: "Anna's laptop")), request: 17)),
        ("rename this device", LocalFrame(.identity(.renameDevice(nil, to: "Anna's laptop")), request: 17)),
        ("remove device", LocalFrame(.identity(.removeDevice("laptop", onlyAsk: true)), request: 18)),
        (
            "remove device with those it admitted",
            LocalFrame(.identity(.removeDevice("laptop", onlyAsk: false, withAdmitted: true)), request: 18)
        ), ("removed device", LocalFrame(.identity(.device(removedDevice)), answer: 18)),
        ("device", LocalFrame(.identity(.device(deviceSummary)), answer: 18)),
        ("show log", LocalFrame(.identity(.showLog), request: 19)),
        (
            "log",
            LocalFrame(
                .identity(
                    .log(
                        [.founded, .admitted, .renamed(laptop), .removed, .recovered].map { what in
                            AccountLogEntry(
                                what: what, time: noon, device: device, name: laptop,
                                by: what == .founded ? nil : device,
                                byName: what == .founded ? nil : laptop, counts: what != .renamed(laptop))
                        })), answer: 19)
        ),
        ("list devices", LocalFrame(.identity(.listDevices()), request: 10)),
        ("watch devices", LocalFrame(.identity(.listDevices(watch: true, isPatient: true)), request: 10)),
        ("device list", LocalFrame(.identity(.deviceList([deviceSummary])), answer: 10)),
        ("list apps", LocalFrame(.launching(.listApps), request: 11)),
        (
            "app list",
            LocalFrame(
                .launching(
                    .appList([
                        AppSummary(
                            bundle: bundle, name: DisplayText(cleaning: "MonkeyBrowser"), version: "1.0", team: team,
                            teamName: DisplayText(cleaning: "Monkeys"), isInDevelopment: false, isTrusted: true,
                            activityTypes: [type], path: "/apps/MonkeyBrowser.app", isRunning: true)
                    ])), answer: 11)
        ),
        (
            "app list: under development",
            LocalFrame(
                .launching(
                    .appList([
                        AppSummary(
                            bundle: bundle, name: DisplayText(cleaning: "MonkeyBrowser"), version: "1.0",
                            team: .personal(account), teamName: nil, isInDevelopment: true, isTrusted: true,
                            activityTypes: [type], path: "/apps/MonkeyBrowser.app", isRunning: false)
                    ])), answer: 11)
        ),
        (
            "app list: of a desktop entry",
            LocalFrame(
                .launching(
                    .appList([
                        AppSummary(
                            bundle: bundle, name: DisplayText(cleaning: "MonkeyBrowser"), version: "",
                            team: .personal(account), teamName: nil, isInDevelopment: false, isTrusted: true,
                            activityTypes: [type], path: "/usr/share/applications/com.example.monkey.desktop",
                            entry: "/usr/share/applications/com.example.monkey.desktop", isRunning: false)
                    ])), answer: 11)
        ),
        (
            "app list: without an account, and a problem",
            LocalFrame(
                .launching(
                    .appList(
                        [
                            AppSummary(
                                bundle: bundle, name: DisplayText(cleaning: "MonkeyBrowser"), version: "1.0", team: nil,
                                teamName: nil, isInDevelopment: true, isTrusted: true, activityTypes: [type],
                                path: "/apps/MonkeyBrowser.app", isRunning: false)
                        ], problems: ["/usr/share/applications/x.desktop has no Exec"])), answer: 11)
        ),
        ("reload apps", LocalFrame(.launching(.reloadApps), request: 12)),
        ("prefer app", LocalFrame(.launching(.preferApp(bundle, isPreferred: true)), request: 13)),
        ("forget preferred app", LocalFrame(.launching(.preferApp(bundle, isPreferred: false)), request: 13)),
        ("trust team", LocalFrame(.teams(.trustTeam(certificate: [0x30, 0x00])), request: 15)),
        ("distrust team", LocalFrame(.teams(.distrustTeam(developer.key)), request: 16)),
        ("list teams", LocalFrame(.teams(.listTeams), request: 17)),
        (
            "team list",
            LocalFrame(
                .teams(
                    .teamList([
                        TeamSummary(
                            team: developer, name: DisplayText(cleaning: "Monkeys"), trustedSince: noon, apps: 2)
                    ])), answer: 17)
        ),
        ("list activities", LocalFrame(.advertising(.listActivities(watch: true, all: true)), request: 13)),
        (
            "activity list",
            LocalFrame(
                .advertising(
                    .activityList(
                        [.app(bundle), .webPage, .script, .nothing("no app takes it")].map { target in
                            ListedActivity(
                                offer: offer, device: device, deviceName: laptop, deviceKind: .laptop,
                                isFromThisDevice: false, target: target,
                                targetName: DisplayText(cleaning: "MonkeyBrowser"))
                        })), answer: 13)
        ),
        (
            "start continuation",
            LocalFrame(
                .continuation(.startContinuation(StartContinuation(activity: activity, device: device, app: bundle))),
                request: 14)
        ),
        (
            "start continuation: by a click on a desktop",
            LocalFrame(
                .continuation(
                    .startContinuation(
                        StartContinuation(
                            activity: activity, activationToken: try! ActivationToken("monkey/1-2-anna_TIME345")))),
                request: 14)
        ),
        ("progress", LocalFrame(.continuation(.progress(PhaseTime(.fetch, .microseconds(700)))), answer: 14)),
        (
            "progress of what can be cancelled",
            LocalFrame(
                .continuation(.progress(PhaseTime(.fetch, .microseconds(700)), of: continuation)), answer: 14)
        ),
        (
            "outcome: app",
            LocalFrame(
                .continuation(
                    .outcome(
                        ContinuationOutcome(
                            continuation: continuation, phases: [PhaseTime(.resolve, .microseconds(20))],
                            how: .app(bundle), targetName: DisplayText(cleaning: "MonkeyBrowser")))), answer: 14)
        ),
        (
            "outcome: state",
            LocalFrame(
                .continuation(
                    .outcome(
                        ContinuationOutcome(
                            continuation: continuation, phases: [], how: .state(state),
                            targetName: DisplayText(cleaning: "handoff")))), answer: 14)
        ),
        (
            "outcome: app, as kept",
            LocalFrame(
                .continuation(
                    .outcome(
                        ContinuationOutcome(
                            continuation: continuation, phases: [], how: .app(bundle),
                            targetName: DisplayText(cleaning: "MonkeyBrowser"), saved: noon))), answer: 14)
        ),
        ("show policy", LocalFrame(.policy(.showPolicy()), request: 15)),
        (
            "set policy",
            LocalFrame(
                .policy(.setPolicy(PolicyChange(PolicySubject(.receiving, of: bundle), isOff: true, until: noon))),
                request: 16)
        ),
        (
            "policy",
            LocalFrame(
                .policy(
                    .policy(
                        PolicySummary(
                            off: [
                                PolicySwitch(PolicySubject(.advertising), isByAdministrator: true),
                                PolicySwitch(PolicySubject(.receiving, of: bundle), until: noon),
                            ], problem: "the file cannot be read"))), answer: 16)
        ),
        (
            "hello for a program on the bus",
            LocalFrame(
                .hello(
                    LocalHello(
                        role: .app, bundle: bundle, name: laptop, receives: true,
                        caller: BusCaller(
                            processID: 4711, file: .init(path: "/usr/bin/python3.11", device: 2049, inode: 131_072),
                            names: ["com.example.notes"]))), request: 1)
        ),
        (
            "hello for a Flatpak on the bus",
            LocalFrame(
                .hello(
                    LocalHello(
                        role: .app, name: laptop,
                        caller: BusCaller(processID: 4711, file: nil, sandbox: .flatpak(bundle)))), request: 1)
        ),
        (
            "hello of a browser",
            LocalFrame(
                .hello(LocalHello(role: .browser, name: DisplayText(cleaning: "Firefox"), receives: true)), request: 1)
        ),
        (
            "publish a page",
            LocalFrame(
                .advertising(.publish(Publication(activity: activity, type: type, hasWebPage: true, webHost: host))),
                request: 3)
        ),
        (
            "activity list: an app's, or a browser's",
            LocalFrame(
                .advertising(
                    .activityList([
                        ListedActivity(
                            offer: browsedOffer, device: device, deviceName: laptop, deviceKind: .laptop,
                            isFromThisDevice: false, target: .app(bundle), targetName: laptop, isForBrowserToo: true)
                    ])), answer: 13)
        ),
        (
            "start continuation in a browser",
            LocalFrame(
                .continuation(.startContinuation(StartContinuation(activity: activity, inBrowser: true))), request: 14)
        ),
        (
            "outcome: page shown",
            LocalFrame(
                .continuation(
                    .outcome(
                        ContinuationOutcome(
                            continuation: continuation, phases: [], how: .pageShown,
                            targetName: DisplayText(cleaning: "Firefox")))), answer: 14)
        ),
        ("list sites", LocalFrame(.webLinks(.listSites), request: 20)),
        ("refresh all sites", LocalFrame(.webLinks(.refreshSites(nil)), request: 21)),
        ("refresh a site", LocalFrame(.webLinks(.refreshSites(host)), request: 21)),
        (
            "site list",
            LocalFrame(
                .webLinks(
                    .siteList(
                        [site] + SiteSummary.Standing.allCases.map { SiteSummary(host: host, standing: $0, apps: []) })),
                answer: 21)
        ),
        ("check web page", LocalFrame(.webLinks(.checkWebPage("https://www.example.com/")), request: 22)),
        (
            "web page check",
            LocalFrame(
                .webLinks(
                    .webPageCheck(
                        WebPageCheck(
                            host: host,
                            claims: [
                                CheckedClaim(
                                    app: bundle, appName: DisplayText(cleaning: "MonkeyBrowser"),
                                    entry: "activitycontinuation:*.example.com", counts: true,
                                    reason: "the site lists it",
                                    steps: ["activitycontinuation lists it"])
                            ], sites: [site], taker: .app(bundle), takerName: DisplayText(cleaning: "MonkeyBrowser"),
                            reason: "it alone may"))), answer: 22)
        ),
        (
            "web page check: a browser's",
            LocalFrame(
                .webLinks(
                    .webPageCheck(
                        WebPageCheck(
                            host: nil, problem: "the address names a port", taker: .browser,
                            takerName: DisplayText(cleaning: ""), reason: "no app may"))), answer: 22)
        ),
        ("list web choices", LocalFrame(.webChoices(.listWebChoices), request: 23)),
        ("choose an app for a host", LocalFrame(.webChoices(.chooseForHost(host, .app(bundle))), request: 24)),
        ("choose the browser for a host", LocalFrame(.webChoices(.chooseForHost(host, .browser)), request: 24)),
        ("choose nothing for a host", LocalFrame(.webChoices(.chooseForHost(host, nil)), request: 24)),
        (
            "web choices",
            LocalFrame(
                .webChoices(.webChoices([WebChoice(host, .app(bundle)), WebChoice(host, .browser)])), answer: 24)
        ),
        (
            "outcome: with facts",
            LocalFrame(
                .continuation(
                    .outcome(
                        ContinuationOutcome(
                            continuation: continuation, phases: [], how: .app(bundle),
                            targetName: DisplayText(cleaning: "MonkeyBrowser"),
                            facts: [
                                Fact("streamsOpen", .count(3)), Fact("waited", .duration(.microseconds(1500))),
                                Fact("activitySince", .time(noon)),
                            ]))), answer: 14)
        ),
        ("delete saved", LocalFrame(.advertising(.deleteSaved(.named(["sonnet 18", "weather"]))), request: 16)),
        ("delete all saved", LocalFrame(.advertising(.deleteSaved(.all)), request: 17)),
        ("watch the policy", LocalFrame(.policy(.showPolicy(watch: true)), request: 18)),
        ("policy: programs that are on", LocalFrame(.policy(.policy(PolicySummary(programs: [program]))), answer: 18)),
        (
            "switch a program on",
            LocalFrame(
                .policy(.setPolicy(PolicyChange(PolicySubject(.advertising, of: program), isOff: false))), request: 19)
        ),
    ]
}
