// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct ClientsServiceTests {
    private let fixture: DeviceFixture
    private let editor = DeviceFixture.app("editor")

    init() throws {
        var limits = ClientLimits()
        limits.clients = 4
        fixture = try DeviceFixture("laptop", apps: [editor, DeviceFixture.app("reader")], clientLimits: limits)
    }

    private func connect(_ hello: LocalHello, executable: String? = "/usr/bin/python3") -> TestClient {
        let client = fixture.listener.connect(executable: executable)
        client.hello(hello)
        fixture.settle()
        return client
    }

    private func appHello(_ app: InstalledApp?, token: LaunchToken? = nil) -> LocalHello {
        LocalHello(
            role: .app, bundle: app?.bundle, name: DisplayText(cleaning: "program"), launchToken: token, receives: true)
    }

    private func welcome(_ client: TestClient) -> Welcome? {
        guard case .welcome(let welcome)? = client.answers(to: 1).first else { return nil }
        return welcome
    }

    @Test func clientIsWelcomed() {
        let welcome = welcome(fixture.run(editor))
        #expect(welcome?.version == 1)
        #expect(welcome?.deviceName.text == "laptop")
        #expect(welcome?.isRegistered == true)
        #expect(fixture.clients.clients.first?.team == DeviceFixture.team)
    }

    @Test func controlClientIsOfThePersonalTeam() {
        let script = fixture.script()
        #expect(welcome(script)?.isRegistered == false)
        let client = fixture.clients.clients.first
        #expect(client?.audience == .control)
        #expect(client?.team == DeviceFixture.personal)
        #expect(client?.bundle == nil)
    }

    /// Shows T09.
    @Test func programThatClaimsAnAppIsRefused() {
        let client = connect(appHello(editor))
        #expect(client.answers(to: 1) == [.failure(Failure(.notAllowed, ""))])
        #expect(client.isClosed)
        #expect(fixture.clients.clients.isEmpty)
        let other = connect(appHello(editor), executable: DeviceFixture.app("reader").executable)
        #expect(other.answers(to: 1) == [.failure(Failure(.notAllowed, ""))])
    }

    /// Shows T09.
    @Test func alteredExecutableIsRefused() {
        fixture.catalog.altered = [editor.bundle]
        let client = connect(appHello(editor), executable: editor.executable)
        #expect(client.answers(to: 1) == [.failure(Failure(.notAllowed, ""))])
        #expect(fixture.clients.clients.isEmpty)
    }

    @Test func programUnderDevelopmentPublishesAndReceivesNothing() {
        let client = connect(appHello(nil))
        #expect(welcome(client)?.isRegistered == false)
        let known = fixture.clients.clients.first
        #expect(known?.receives == false)
        #expect(known?.team == DeviceFixture.personal)
        #expect(fixture.publish(1, by: client) == .done(accepted: true))
    }

    @Test func tokenUsedTwiceGivesNoAppTheSecondTime() {
        fixture.launcher.standard = .silent
        fixture.launching.ensureRunning(
            editor.bundle, for: DeviceFixture.editing, activation: nil, deadline: .seconds(5)
        ) { _ in }
        let token = fixture.launcher.launches[0].token
        #expect(welcome(connect(appHello(editor, token: token)))?.isRegistered == true)
        #expect(connect(appHello(editor, token: token)).answers(to: 1) == [.failure(Failure(.notAllowed, ""))])
        // A program that inherited it and claims no app is an ordinary program.
        #expect(welcome(connect(appHello(nil, token: token)))?.isRegistered == false)
    }

    /// Shows Q04 in part.
    @Test func onlyTheUsersOwnToolsLearnWhereTheDaemonsFilesAre() {
        let script = connect(LocalHello(role: .control, name: DisplayText(cleaning: "script")))
        #expect(welcome(script)?.places == DaemonPlaces(Locations(root: "/desk")))
        #expect(welcome(connect(appHello(nil, token: nil))) != nil)
        #expect(welcome(connect(appHello(nil, token: nil)))?.places == nil)
    }

    @Test func inventedTokenGivesNoApp() {
        let token = LaunchToken(uncheckedBytes: Array(repeating: 9, count: 32))
        #expect(connect(appHello(editor, token: token)).answers(to: 1) == [.failure(Failure(.notAllowed, ""))])
    }

    @Test func clientThatAsksBeforeItsHelloIsRefused() {
        let client = fixture.listener.connect()
        let request = client.request(.launching(.listApps))
        fixture.settle()
        #expect(client.answers(to: request) == [.failure(Failure(.malformed, ""))])
        #expect(client.isClosed)
    }

    /// Shows Y07.
    @Test func versionOutsideTheRangeIsRefusedByName() {
        let client = connect(LocalHello(versions: 7...9, role: .control, name: DisplayText(cleaning: "newer")))
        #expect(client.answers(to: 1) == [.failure(Failure(.versionUnsupported, ""))])
        guard case .failure(let failure)? = client.answers(to: 1).first else { return }
        #expect(failure.reason == "the client speaks versions 7 to 9, this daemon 1 to 1")
        #expect(client.isClosed)
    }

    @Test func unknownMessageIsUnimplemented() {
        let client = fixture.script()
        #expect(fixture.answer(client, .unknown) == .failure(Failure(.unimplemented, "")))
        // A message of this version that no feature here handles.
        #expect(
            fixture.answer(client, .identity(.createInvite(asking: false))) == .failure(Failure(.unimplemented, "")))
        #expect(client.isClosed == false)
    }

    @Test func unknownNoticeIsPassedOver() {
        let client = fixture.script()
        let before = client.received.count
        client.send(.unknown)
        fixture.settle()
        #expect(client.received.count == before)
        #expect(client.isClosed == false)
    }

    @Test func malformedFrameClosesOnlyItsConnection() {
        let client = fixture.script()
        let other = fixture.script()
        client.sendRaw([0xFF, 0xFF, 0xFF, 0xFF, 0x01])
        fixture.settle()
        #expect(client.isClosed)
        #expect(other.isClosed == false)
        #expect(fixture.clients.clients.count == 1)
    }

    @Test func frameAboveTheLimitEndsTheConnection() {
        let client = fixture.script()
        client.sendRaw(Array(repeating: 0, count: Limits.frameBytes + 1))
        fixture.settle()
        #expect(client.isClosed)
    }

    @Test func silentClientIsClosedAfterAWhile() {
        let client = fixture.listener.connect()
        fixture.time.advance(by: .seconds(9))
        #expect(client.isClosed == false)
        fixture.time.advance(by: .seconds(2))
        #expect(client.isClosed)
    }

    @Test func clientsAreBounded() {
        for _ in 0..<4 { _ = fixture.script() }
        let fifth = fixture.listener.connect()
        fixture.settle()
        #expect(fifth.messages == [.failure(Failure(.limitReached, ""))])
        #expect(fifth.isClosed)
        #expect(fixture.clients.clients.count == 4)
    }
}

/// The daemon's requests to a client.
@Suite struct ClientRequestTests {
    private let fixture: DeviceFixture
    private let app: TestClient

    init() throws {
        let editor = DeviceFixture.app("editor")
        fixture = try DeviceFixture("laptop", apps: [editor])
        app = fixture.run(editor)
    }

    private final class Answers {
        var results: [Result<LocalMessage, Failure>] = []
    }

    private func ask(deadline: Duration = .seconds(2)) -> Answers {
        let answers = Answers()
        fixture.clients.clients.first?.request(
            .advertising(.save(DeviceFixture.activity(1), deadline: deadline)), deadline: deadline
        ) {
            answers.results.append($0)
        }
        return answers
    }

    private var requests: [UInt64] { app.received.map(\.request).filter { $0 != 0 } }

    @Test func answerArrivesOnce() {
        let answers = ask()
        fixture.settle()
        app.answer(requests[0], .done(accepted: true))
        app.answer(requests[0], .done(accepted: false))
        fixture.settle()
        #expect(answers.results == [.success(.done(accepted: true))])
    }

    @Test func failureOfAClientIsAFailure() {
        let answers = ask()
        fixture.settle()
        app.answer(requests[0], .failure(Failure(.activityGone, "closed")))
        fixture.settle()
        #expect(answers.results == [.failure(Failure(.activityGone, ""))])
    }

    @Test func answerAfterTheDeadlineIsIgnored() {
        let answers = ask(deadline: .milliseconds(500))
        fixture.time.advance(by: .milliseconds(501))
        #expect(answers.results == [.failure(Failure(.appTimedOut, ""))])
        app.answer(requests[0], .done(accepted: true))
        fixture.settle()
        #expect(answers.results.count == 1)
    }

    @Test func eachRequestHasItsOwnDeadline() {
        let slow = ask(deadline: .seconds(5))
        let fast = ask(deadline: .seconds(1))
        fixture.time.advance(by: .seconds(2))
        #expect(fast.results == [.failure(Failure(.appTimedOut, ""))])
        #expect(slow.results.isEmpty)
        fixture.time.advance(by: .seconds(4))
        #expect(slow.results == [.failure(Failure(.appTimedOut, ""))])
    }

    @Test func clientThatLeavesEndsTheWait() {
        let answers = ask()
        let client = fixture.clients.clients.first
        fixture.settle()
        app.close()
        fixture.settle()
        #expect(answers.results == [.failure(Failure(.appGone, ""))])
        client?.request(.launching(.listApps), deadline: .seconds(1)) { answers.results.append($0) }
        #expect(answers.results.last == .failure(Failure(.appGone, "")))
    }
}
