// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows X14: every message, and whether each kind of client may send it.
@Suite struct PermissionTests {
    private static let activity = ActivityID(uncheckedBytes: Array(repeating: 1, count: 16))
    private static let continuation = ContinuationID(uncheckedBytes: Array(repeating: 2, count: 16))
    private static let host = try! WebHost("example.com")
    private static let container = try! ContainerID("iCloud.com.example.letters")
    private static let path = try! AbsolutePath("/home/anna/letter.txt")
    private static let progress = DocumentProgress(continuation: continuation, name: name, step: .receiving)
    private static let type = try! ActivityType("com.example.editing")
    private static let state = ActivityState(type: type)
    private static let name = DisplayText(cleaning: "laptop")
    private static let failure = Failure(.cancelled, "")
    private static let device = DeviceSummary(
        device: DeviceID(uncheckedBytes: Array(repeating: 3, count: 32)), name: name, kind: .laptop, isThisDevice: true,
        isConnected: false, address: "", admitted: WallTime(milliseconds: 0), admittedBy: nil)
    private static let phone = Phone(id: try! PhoneID("pixel"), name: name, kind: .phone, link: .kdeConnect)
    private static let asked = JoinRequestSummary(
        device: device.device, name: name, kind: .phone, source: "", number: "000000")
    private static let account = AccountSummary(
        account: AccountID(uncheckedBytes: Array(repeating: 4, count: 32)), devices: [])
    private static let ticket = StreamTicket(
        stream: StreamID(uncheckedBytes: Array(repeating: 5, count: 16)),
        token: StreamToken(uncheckedBytes: Array(repeating: 6, count: 32)))
    private static let team = TeamFingerprint(uncheckedBytes: Array(repeating: 7, count: 32))
    private static let check = WebPageCheck(host: nil, taker: .browser, takerName: name, reason: "")
    private static let outcome = ContinuationOutcome(
        continuation: continuation, phases: [], how: .pageShown, targetName: name)

    /// An unreadable message keeps its kind: the permission is checked before the content.
    @Test func messagesThatCannotBeReadKeepTheirKind() throws {
        let wrongID = RawStates.field(1, [])
        // The numbers of local.proto.
        let cases: [(number: Int, message: LocalMessage)] = [
            (56, .continuation(.startContinuation(StartContinuation(activity: Self.activity)))),
            (60, .streams(.openStream(Self.continuation))),
            (140, .sending(.sendActivity(Self.activity, to: ""))), (143, .sending(.unsendActivity(Self.activity))),
            (144, .sending(.dismissSent(Self.activity, from: Self.device.device))), (150, .phones(.setPhones([]))),
            (153, .phones(.sendToPhone(.file(Self.path), to: ""))),
        ]
        for (number, message) in cases {
            let bytes = [0x08, 0x05] + RawStates.field(number, wrongID)
            #expect(throws: WireError.self) { try LocalFrame(encoded: bytes) }
            let frame = try #require(LocalFrame(unreadable: bytes, because: WireError(.malformed, "")))
            #expect(frame.request == 5)
            #expect(frame.message.permission == message.permission)
            for audience in Audience.allCases {
                #expect(frame.message.refusal(to: audience) == message.refusal(to: audience))
            }
        }
    }

    /// By the names of the protocol, in its order. A: an app, S: a script or an app under development, B: a browser, P:
    /// handoff-bus for programs on the bus, C: a control client.
    private static let table: [(name: String, may: String, message: LocalMessage)] = [
        ("hello", "- - - - -", .hello(LocalHello(role: .app, name: name))),
        ("welcome", "- - - - -", .welcome(Welcome(version: 1, deviceName: name, isRegistered: true, software: name))),
        ("failure", "- - - - -", .failure(failure)),
        ("done", "- - - - -", .done(accepted: true)),

        ("publish", "A S B P C", .advertising(.publish(Publication(activity: activity, type: type)))),
        ("withdraw", "A S B P C", .advertising(.withdraw(activity))),
        ("save", "- - - - -", .advertising(.save(activity, deadline: .zero))),
        ("saved", "- - - - -", .advertising(.saved(state, saving: .zero))),
        ("was_continued", "- - - - -", .continuation(.wasContinued(activity, deviceName: name))),
        ("changed", "A S B P C", .advertising(.changed(activity))),
        ("delete_saved", "A S - - -", .advertising(.deleteSaved(.all))),
        ("withhold", "A S B P C", .advertising(.withhold(WithheldActivity(type)))),

        ("will_continue", "- - - - -", .continuation(.willContinue(continuation, type: type, originName: name))),
        ("continue_activity", "- - - - -", .continuation(.continueActivity(continuation, state))),
        ("did_fail", "- - - - -", .continuation(.didFail(continuation, type: type, failure))),

        ("get_status", "- - B - C", .status(.getStatus)),
        ("status", "- - - - -", .status(.status(DaemonStatus()))),
        ("create_account", "- - - - C", .identity(.createAccount)),
        ("show_account", "- - - - C", .identity(.showAccount)),
        ("account", "- - - - -", .identity(.account(account))),
        ("create_invite", "- - - - C", .identity(.createInvite(asking: false))),
        ("invite", "- - - - -", .identity(.invite(InviteOffer(code: "", expires: device.admitted, addresses: [])))),
        ("join_asked", "- - - - -", .identity(.joinAsked(asked))),
        ("answer_join", "- - - - C", .identity(.answerJoin(device.device, admit: true))),
        ("join_number", "- - - - -", .identity(.joinNumber("000000"))),
        ("invite_used", "- - - - -", .identity(.inviteUsed(.success(device)))),
        ("list_nearby", "- - - - C", .identity(.listNearby)),
        ("nearby_list", "- - - - -", .identity(.nearbyList([]))),
        ("confirm_join", "- - - - C", .identity(.confirmJoin(matches: true))),
        ("join_left", "- - - - -", .identity(.joinLeft(device.device))),
        ("join_account", "- - - - C", .identity(.joinAccount(code: "", address: nil))),
        ("list_devices", "- - B - C", .identity(.listDevices())),
        ("device_list", "- - - - -", .identity(.deviceList([]))),
        ("list_apps", "- - B - C", .launching(.listApps)),
        ("app_list", "- - - - -", .launching(.appList([]))),
        ("reload_apps", "- - - - C", .launching(.reloadApps)),
        ("prefer_app", "- - - - C", .launching(.preferApp(DeviceFixture.mpv.bundle, isPreferred: true))),
        ("list_activities", "- - B - C", .advertising(.listActivities(watch: false, all: false))),
        ("activity_list", "- - - - -", .advertising(.activityList([]))),
        ("start_continuation", "- - B P C", .continuation(.startContinuation(StartContinuation(activity: activity)))),
        ("progress", "- - - - -", .continuation(.progress(PhaseTime(.fetch, .zero)))),
        ("outcome", "- - - - -", .continuation(.outcome(outcome))),

        ("open_stream", "A - - - C", .streams(.openStream(continuation))),
        ("stream_ticket", "- - - - -", .streams(.streamTicket(ticket))),
        (
            "stream_wanted", "- - - - -",
            .streams(
                .streamWanted(
                    StreamWanted(activity: activity, continuation: continuation, ticket: ticket, deviceName: name)))
        ),
        ("attach_stream", "- - - - -", .streams(.attachStream(ticket.token))),
        ("stream_ended", "A S - - C", .streams(.streamEnded(StreamEnd(stream: ticket.stream, byteCount: 0)))),

        ("show_policy", "- - - - C", .policy(.showPolicy())),
        ("set_policy", "- - - - C", .policy(.setPolicy(PolicyChange(PolicySubject(.advertising), isOff: false)))),
        ("policy", "- - - - -", .policy(.policy(PolicySummary()))),

        ("trust_team", "- - - - C", .teams(.trustTeam(certificate: []))),
        ("distrust_team", "- - - - C", .teams(.distrustTeam(team))),
        ("list_teams", "- - - - C", .teams(.listTeams)),
        ("team_list", "- - - - -", .teams(.teamList([]))),

        ("recover_account", "- - - - C", .identity(.recoverAccount(RecoverAccount(key: "")))),
        ("show_recovery_key", "- - - - C", .identity(.showRecoveryKey)),
        ("confirm_recovery_key", "- - - - C", .identity(.confirmRecoveryKey)),
        ("new_recovery_key", "- - - - C", .identity(.newRecoveryKey(evenWithOthers: true))),
        ("leave_account", "- - - - C", .identity(.leaveAccount(evenAsMember: true))),
        ("rename_device", "- - - - C", .identity(.renameDevice(nil, to: "desktop"))),
        ("remove_device", "- - - - C", .identity(.removeDevice("laptop", onlyAsk: true))),
        ("device", "- - - - -", .identity(.device(device))),
        ("show_log", "- - - - C", .identity(.showLog)),
        ("log", "- - - - -", .identity(.log([]))),

        ("list_sites", "- - - - C", .webLinks(.listSites)),
        ("refresh_sites", "- - - - C", .webLinks(.refreshSites(nil))),
        ("site_list", "- - - - -", .webLinks(.siteList([]))),
        ("check_web_page", "- - - - C", .webLinks(.checkWebPage(""))),
        ("web_page_check", "- - - - -", .webLinks(.webPageCheck(check))),
        ("list_web_choices", "- - - - C", .webChoices(.listWebChoices)),
        ("choose_for_host", "- - - - C", .webChoices(.chooseForHost(host, .browser))),
        ("web_choices", "- - - - -", .webChoices(.webChoices([]))),

        ("list_folders", "- - - - C", .documents(.listFolders(check: true))),
        ("map_folder", "- - - - C", .documents(.mapFolder(container, path))),
        ("unmap_folder", "- - - - C", .documents(.unmapFolder(container))),
        ("folder_list", "- - - - -", .documents(.folderList([]))),
        ("show_containers", "A - - - -", .documents(.showContainers)),
        ("containers", "- - - - -", .documents(.containers([], accountToken: nil))),
        ("list_versions", "A - - - C", .documents(.listVersions(nil))),
        ("restore_version", "A - - - C", .documents(.restoreVersion(VersionID(uncheckedBytes: activity.bytes)))),
        ("version_list", "- - - - -", .documents(.versionList([]))),
        ("document_coming", "- - - - -", .documents(.documentComing(path, deviceName: name))),
        ("document_placed", "- - - - -", .documents(.documentPlaced(PlacedDocument(path: path)))),
        ("download_document", "A - - - -", .documents(.downloadDocument(path))),
        ("document_progress", "- - - - -", .documents(.documentProgress(progress))),
        ("cancel_continuation", "A - B P C", .documents(.cancelContinuation(continuation))),

        ("set_presence", "- - - - C", .presence(.setPresence(PresenceWord(.locked)))),
        ("set_sleep", "- - - - C", .presence(.setSleep(true))),
        ("explain_offer", "- - - - C", .status(.explainOffer(OfferQuestion(device: "laptop", type: type)))),
        ("explanation", "- - - - -", .status(.explanation([]))),

        ("send_activity", "- - - P C", .sending(.sendActivity(activity, to: "desktop"))),
        (
            "send_page", "- - B - -",
            .sending(
                .sendPage(ActivityState(type: .browsingWeb, webpageURL: "https://example.com/"), to: "desktop"))
        ),
        ("list_sends", "- - - P C", .sending(.listSends)),
        ("send_list", "- - - - -", .sending(.sendList([]))),
        ("unsend_activity", "- - B P C", .sending(.unsendActivity(activity))),
        ("dismiss_sent", "- - - P C", .sending(.dismissSent(activity, from: device.device))),

        ("set_phones", "- - - - C", .phones(.setPhones([]))),
        ("list_phones", "- - B - C", .phones(.listPhones())),
        ("phone_list", "- - - - -", .phones(.phoneList([]))),
        ("send_to_phone", "- - - - C", .phones(.sendToPhone(.file(path), to: "phone"))),
        ("handed_to_phone", "- - - - -", .phones(.handedToPhone(phone))),
        ("share_with_phone", "- - - - -", .phones(.shareWithPhone(.file(path), phone.id, phone.link))),

        ("search_history", "- - - - C", .history(.searchHistory("", limit: 20))),
        ("history_list", "- - - - -", .history(.historyList([]))),
        ("open_history", "- - - - C", .history(.openHistory(1, activation: nil))),
        ("open_search", "- - - - C", .history(.openSearch("a", in: try! BundleID("a"), activation: nil))),
        ("forget_history", "- - - - C", .history(.forgetHistory(.all))),
        ("change_index", "A - - - -", .history(.changeIndex(IndexChanges([.deleteAll])))),
        ("fetch_client_state", "A - - - -", .history(.fetchClientState(""))),
        ("client_state", "- - - - -", .history(.clientState([]))),
        ("history_forgotten", "- - - - -", .history(.historyForgotten(1))),
        ("list_transfers", "- - - - C", .history(.listTransfers)),
        ("transfer_list", "- - - - -", .history(.transferList([]))),
        ("set_desktop_privacy", "- - - - C", .history(.setDesktopPrivacy(forgets: true))),

        // A message of a newer version; the answer is that it is unknown.
        ("unknown", "A S B P C", .unknown),
    ]

    private static let letters: [(Audience, String)] = [
        (.app, "A"), (.script, "S"), (.browser, "B"), (.busProgram, "P"), (.control, "C"),
    ]

    @Test func messagesAreLimitedToTheirAudiences() {
        #expect(Set(Self.letters.map(\.0)) == Set(Audience.allCases))
        for (name, may, message) in Self.table {
            let allowed = Self.letters.map { message.refusal(to: $0.0) == nil ? $0.1 : "-" }
            #expect(allowed.joined(separator: " ") == may, "\(name)")
        }
    }

    @Test func everyMessageOfTheProtocolIsInTheTable() throws {
        let protocolFile = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Protocol/local.proto")
        let body = try String(contentsOf: protocolFile, encoding: .utf8)
            .split(separator: "oneof body {")[1].split(separator: "\n  }")[0]
        let fields = body.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            return words.count > 2 && words[2] == "=" ? String(words[1]) : nil
        }
        #expect(fields.count > 50)
        #expect(Set(fields).symmetricDifference(Self.table.map(\.name)) == ["unknown"])
        #expect(Self.table.count == fields.count + 1)
    }

    @Test func aRefusalSaysWhatIsNotAllowedToWhomAndWhoMay() {
        func reason(_ message: LocalMessage, _ audience: Audience) -> String? {
            guard let failure = message.refusal(to: audience), failure.code == .notAllowed else { return nil }
            return failure.reason
        }
        #expect(
            reason(.identity(.createInvite(asking: false)), .app)
                == "an app may not invite a device; only the user's own tools may")
        #expect(
            reason(.teams(.distrustTeam(Self.team)), .script)
                == "a program that is not an installed app may not stop trusting a team; only the user's own tools may")
        #expect(
            reason(.status(.getStatus), .app)
                == "an app may not see the daemon's status; only browsers and the user's own tools may")
        #expect(
            reason(.streams(.openStream(Self.continuation)), .browser)
                == "a browser may not open a stream; only apps and the user's own tools may")
        #expect(
            reason(.continuation(.startContinuation(StartContinuation(activity: Self.activity))), .app)
                == "an app may not start a continuation; only browsers, programs on the user's bus and the user's own "
                + "tools may")
        #expect(
            reason(.identity(.createInvite(asking: false)), .busProgram)
                == "a program on the user's bus may not invite a device; only the user's own tools may")
        #expect(reason(.identity(.deviceList([])), .control) == "no client may send that to the daemon")
    }
}
