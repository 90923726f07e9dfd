// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// Shows X14 in whole daemons: what is for the user's own tools is refused to apps, scripts and browsers, and nothing
/// comes of it.
@Suite struct WhoMaySayWhatTests {
    private let web: WebTown

    init() throws { web = try WebTown() }

    private static let forTools: [LocalMessage] = [
        .identity(.createInvite(asking: false)), .identity(.removeDevice("device 0", onlyAsk: false)),
        .identity(.leaveAccount(evenAsMember: true)), .identity(.renameDevice(nil, to: "mine")),
        .identity(.createAccount), .identity(.joinAccount(code: "ABCDEFG-HIJKLMN", address: nil)),
        .identity(.recoverAccount(RecoverAccount(key: ""))), .identity(.listDevices()), .identity(.showLog),
        .teams(.trustTeam(certificate: [0x30, 0x00])), .teams(.listTeams),
        .policy(.setPolicy(PolicyChange(PolicySubject(.advertising), isOff: true))), .policy(.showPolicy),
        .presence(.setPresence(PresenceWord(.locked))), .launching(.listApps), .launching(.reloadApps),
        .webChoices(.chooseForHost(WebTown.site, .browser)), .webLinks(.refreshSites(nil)),
        .sending(.sendActivity(ActivityID(uncheckedBytes: Array(repeating: 7, count: 16)), to: "device 0")),
        .sending(.listSends), .sending(.unsendActivity(ActivityID(uncheckedBytes: Array(repeating: 7, count: 16)))),
        .sending(
            .dismissSent(
                ActivityID(uncheckedBytes: Array(repeating: 7, count: 16)),
                from: DeviceID(uncheckedBytes: Array(repeating: 7, count: 32)))),
        .documents(.listFolders(check: true)), .documents(.unmapFolder(try! ContainerID("iCloud.com.example.letters"))),
        .documents(
            .mapFolder(try! ContainerID("iCloud.com.example.letters"), try! AbsolutePath("/home/user/Letters"))),
    ]

    private func client(_ audience: Audience) -> TestClient {
        switch audience {
        case .app: return web.run(web.town.installed[0], on: web.desktop).client
        case .script:
            let client = web.desktop.listener.connect(executable: "/usr/bin/python3")
            client.hello(LocalHello(role: .app, name: DisplayText(cleaning: "script")))
            return client
        case .browser: return WebProgram("Firefox", on: web.desktop).client
        case .control: return web.desktop.control()
        }
    }

    private func devices() throws -> LocalMessage { try web.town.ask(web.desktop, .identity(.showAccount)) }

    @Test(arguments: [Audience.app, .script, .browser])
    func whatIsForToolsIsRefusedByNameAndDoesNothing(audience: Audience) throws {
        let client = client(audience)
        web.settle()
        let before = (try devices(), try web.town.ask(web.desktop, .policy(.showPolicy)))
        for message in Self.forTools {
            let request = client.request(message)
            web.settle()
            guard case .failure(let failure)? = client.answers(to: request).first else {
                Issue.record("\(message) is answered")
                continue
            }
            #expect(failure.code == .notAllowed)
            #expect(
                failure.reason.hasPrefix("\(audience) may not ")
                    && failure.reason.hasSuffix("; only the user's own tools may"), "\(failure.reason)")
        }
        #expect(!client.isClosed)
        #expect(try devices() == before.0)
        #expect(try web.town.ask(web.desktop, .policy(.showPolicy)) == before.1)
        #expect(try web.town.ask(web.desktop, .webChoices(.listWebChoices)) == .webChoices(.webChoices([])))
        // And it still says what it may.
        let request = client.request(.advertising(.withdraw(Desk.activity(1))))
        web.settle()
        #expect(client.answers(to: request) == [.done(accepted: true)])
    }

    /// A refusal is told also to whoever wants no answer.
    @Test func aNoticeIsRefusedToo() throws {
        let client = client(.app)
        web.settle()
        client.send(.identity(.leaveAccount(evenAsMember: true)))
        web.settle()
        #expect(client.messages.last == .failure(Failure(.notAllowed, "")))
        #expect(web.desktop.account != nil)
    }

    @Test(arguments: Audience.allCases)
    func nobodySpeaksForTheDaemon(audience: Audience) throws {
        let client = client(audience)
        web.settle()
        for message in [
            LocalMessage.identity(.deviceList([])), .advertising(.activityList([])), .policy(.policy(PolicySummary())),
            .continuation(.wasContinued(Desk.activity(1), deviceName: DisplayText(cleaning: "laptop"))),
        ] {
            let request = client.request(message)
            web.settle()
            #expect(client.answers(to: request) == [.failure(Failure(.notAllowed, ""))])
        }
    }
}
