// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows X14 in whole daemons: apps, scripts and browsers cannot send messages for the user's own tools, and the
/// attempts have no effect.
@Suite struct WhoMaySayWhatTests {
    private let web: WebSimulation

    init() throws { web = try WebSimulation() }

    private static let forTools: [LocalMessage] = [
        .identity(.createInvite(asking: false)), .identity(.removeDevice("device 0", onlyAsk: false)),
        .identity(.leaveAccount(evenAsMember: true)), .identity(.renameDevice(nil, to: "mine")),
        .identity(.showRecoveryKey), .identity(.confirmRecoveryKey), .identity(.newRecoveryKey(evenWithOthers: true)),
        .identity(.createAccount), .identity(.joinAccount(code: "ABCDEFG-HIJKLMN", address: nil)),
        .identity(.recoverAccount(RecoverAccount(key: ""))), .identity(.showAccount), .identity(.showLog),
        .teams(.trustTeam(certificate: [0x30, 0x00])), .teams(.listTeams),
        .policy(.setPolicy(PolicyChange(PolicySubject(.advertising), isOff: true))), .policy(.showPolicy()),
        .presence(.setPresence(PresenceWord(.locked))), .launching(.reloadApps),
        .webChoices(.chooseForHost(WebSimulation.site, .browser)), .webLinks(.refreshSites(nil)),
        .documents(.listFolders(check: true)), .documents(.unmapFolder(try! ContainerID("iCloud.com.example.letters"))),
        .documents(
            .mapFolder(try! ContainerID("iCloud.com.example.letters"), try! AbsolutePath("/home/user/Letters"))),
    ]

    /// Also allowed for programs on the bus.
    private static let forSenders: [LocalMessage] = [
        .sending(.sendActivity(ActivityID(uncheckedBytes: Array(repeating: 7, count: 16)), to: "device 0")),
        .sending(.listSends),
        .sending(
            .dismissSent(
                ActivityID(uncheckedBytes: Array(repeating: 7, count: 16)),
                from: DeviceID(uncheckedBytes: Array(repeating: 7, count: 32)))),
    ]

    /// Also allowed for browsers, which show the apps' icons.
    private static let forBrowsers: [LocalMessage] = [.launching(.listApps)]

    private func client(_ audience: Audience) -> TestClient {
        switch audience {
        case .app: return web.run(web.simulation.installed[0], on: web.desktop).client
        case .script:
            let client = web.desktop.listener.connect(executable: "/usr/bin/python3")
            client.hello(LocalHello(role: .app, name: DisplayText(cleaning: "script")))
            return client
        case .browser: return WebProgram("Firefox", on: web.desktop).client
        case .busProgram:
            let client = web.desktop.listener.connect(executable: DeviceFixture.busDoor)
            client.hello(LocalHello(role: .busProgram, name: DisplayText(cleaning: "handoff-bus")))
            return client
        case .control: return web.desktop.control()
        }
    }

    private func devices() throws -> LocalMessage { try web.simulation.ask(web.desktop, .identity(.showAccount)) }

    /// An unreadable message from a client without the permission is refused without details of the error.
    @Test(arguments: Audience.allCases) func permissionIsCheckedBeforeContent(audience: Audience) {
        let client = client(audience)
        web.settle()
        // send_activity, unsend_activity and dismiss_sent, with IDs of zero bytes.
        for (request, number) in zip(UInt8(100)..., [140, 143, 144]) {
            client.sendRaw([0x08, request] + RawStates.field(number, RawStates.field(1, [])))
            web.settle()
            guard case .failure(let failure)? = client.answers(to: UInt64(request)).first else {
                Issue.record("message \(number) is not answered")
                continue
            }
            let isAllowed = [.busProgram, .control].contains(audience) || (audience == .browser && number == 143)
            #expect(failure.code == (isAllowed ? .malformed : .notAllowed))
        }
    }

    @Test(arguments: [Audience.app, .script, .browser, .busProgram])
    func requestsForToolsAreRefusedWithoutEffect(audience: Audience) throws {
        let client = client(audience)
        web.settle()
        let before = (try devices(), try web.simulation.ask(web.desktop, .policy(.showPolicy())))
        let others = (audience == .busProgram ? [] : Self.forSenders) + (audience == .browser ? [] : Self.forBrowsers)
        for message in Self.forTools + others {
            let request = client.request(message)
            web.settle()
            guard case .failure(let failure)? = client.answers(to: request).first else {
                Issue.record("\(message) is answered")
                continue
            }
            #expect(failure.code == .notAllowed)
            #expect(
                failure.reason.hasPrefix("\(audience) may not ")
                    && failure.reason.hasSuffix("the user's own tools may"), "\(failure.reason)")
        }
        #expect(!client.isClosed)
        #expect(try devices() == before.0)
        #expect(try web.simulation.ask(web.desktop, .policy(.showPolicy())) == before.1)
        #expect(try web.simulation.ask(web.desktop, .webChoices(.listWebChoices)) == .webChoices(.webChoices([])))
        // The client can still send permitted messages.
        let request = client.request(.advertising(.withdraw(DeviceFixture.activity(1))))
        web.settle()
        #expect(client.answers(to: request) == [.done(accepted: true)])
    }

    /// A refusal is sent even for a message without a request number.
    @Test func aNoticeIsRefusedToo() throws {
        let client = client(.app)
        web.settle()
        client.send(.identity(.leaveAccount(evenAsMember: true)))
        web.settle()
        #expect(client.messages.last == .failure(Failure(.notAllowed, "")))
        #expect(web.desktop.account != nil)
    }

    @Test(arguments: Audience.allCases)
    func daemonMessagesFromClientsAreRefused(audience: Audience) throws {
        let client = client(audience)
        web.settle()
        for message in [
            LocalMessage.identity(.deviceList([])), .advertising(.activityList([])), .policy(.policy(PolicySummary())),
            .continuation(.wasContinued(DeviceFixture.activity(1), deviceName: DisplayText(cleaning: "laptop"))),
        ] {
            let request = client.request(message)
            web.settle()
            #expect(client.answers(to: request) == [.failure(Failure(.notAllowed, ""))])
        }
    }
}
