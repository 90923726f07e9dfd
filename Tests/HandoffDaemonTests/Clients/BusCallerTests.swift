// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Programs on the user's bus, on whose behalf handoff-bus connects.
// Shows T09, L05.
@Suite struct BusCallerTests {
    private let fixture: DeviceFixture
    private let editor = DeviceFixture.app("editor")

    init() throws { fixture = try DeviceFixture("laptop", apps: [editor]) }

    /// A nil `program`: the bus does not know its process.
    private func hello(_ program: String?, _ bundle: BundleID? = nil) -> LocalHello {
        LocalHello(
            role: .app, bundle: bundle, name: editor.name, receives: true,
            caller: BusCaller(processID: 4711, file: program.map { .init(path: $0, device: 0, inode: 0) }))
    }

    private func answer(to hello: LocalHello, by executable: String) -> LocalMessage? {
        let client = fixture.listener.connect(executable: executable)
        let request = client.hello(hello)
        fixture.settle()
        return client.answers(to: request).first
    }

    @Test func anAppThatCallsOnTheBusIsThatApp() {
        guard case .welcome(let welcome)? = answer(to: hello(editor.executable), by: DeviceFixture.busDoor) else {
            Issue.record("refused")
            return
        }
        #expect(welcome.isRegistered)
        #expect(fixture.clients.clients.map(\.bundle) == [editor.bundle])
    }

    @Test func anyOtherProgramOnTheBusIsAScript() {
        guard case .welcome(let welcome)? = answer(to: hello("/usr/bin/python3"), by: DeviceFixture.busDoor) else {
            Issue.record("refused")
            return
        }
        #expect(!welcome.isRegistered)
        #expect(fixture.clients.clients.map(\.audience) == [.script])
    }

    @Test func aProgramThatClaimsAnAppWhichItIsNotIsRefused() {
        guard
            case .failure(let failure)? = answer(
                to: hello("/usr/bin/python3", editor.bundle), by: DeviceFixture.busDoor)
        else {
            Issue.record("taken")
            return
        }
        #expect(failure.code == .notAllowed)
    }

    /// Not even by the executable of handoff-bus, which acts for it.
    @Test func aProgramWithoutAProvenFileIsAScript() {
        guard case .welcome(let welcome)? = answer(to: hello(nil), by: DeviceFixture.busDoor) else {
            Issue.record("refused")
            return
        }
        #expect(!welcome.isRegistered)
        #expect(fixture.clients.clients.map(\.audience) == [.script])
        guard case .failure(let failure)? = answer(to: hello(nil, editor.bundle), by: DeviceFixture.busDoor) else {
            Issue.record("taken")
            return
        }
        #expect(failure.code == .notAllowed)
    }

    /// handoff-bus cannot give a participating program the permissions of tools.
    @Test(arguments: [ClientRole.control, .browser, .busProgram])
    func aProgramThatTakesPartSpeaksAsNothingElse(role: ClientRole) {
        var hello = hello(editor.executable)
        hello.role = role
        guard case .failure(let failure)? = answer(to: hello, by: DeviceFixture.busDoor) else {
            Issue.record("taken")
            return
        }
        #expect(failure.code == .notAllowed)
        #expect(fixture.clients.clients.isEmpty)
    }

    @Test func aProgramOnTheBusMayLessThanTools() {
        let client = fixture.listener.connect(executable: DeviceFixture.busDoor)
        client.hello(LocalHello(role: .busProgram, name: DisplayText(cleaning: "handoff-bus")))
        fixture.settle()
        #expect(fixture.clients.clients.map(\.audience) == [.busProgram])
        let refused = client.request(.identity(.createInvite(asking: false)))
        let allowed = client.request(.sending(.listSends))
        fixture.settle()
        guard case .failure(let failure)? = client.answers(to: refused).first else {
            Issue.record("a program on the bus invites devices")
            return
        }
        #expect(failure.code == .notAllowed)
        #expect(client.answers(to: allowed) == [.sending(.sendList([]))])
    }

    @Test(arguments: ["/usr/bin/python3", "/home/anna/.local/bin/handoff-bus"])
    func onlyTheBusExecutableSpeaksForAnApp(program: String) {
        guard case .failure(let failure)? = answer(to: hello(editor.executable), by: program) else {
            Issue.record("taken")
            return
        }
        #expect(failure.code == .notAllowed)
        #expect(fixture.clients.clients.isEmpty)
    }
}
