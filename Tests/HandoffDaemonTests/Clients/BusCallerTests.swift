// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffDaemon
import HandoffTesting
import HandoffWire
import Testing

/// Programs on the user's bus, for which the door to it speaks.
// Shows T09, L05.
@Suite struct BusCallerTests {
    private let desk: Desk
    private let editor = Desk.app("editor")

    init() throws { desk = try Desk("laptop", apps: [editor]) }

    private func hello(_ program: String, _ bundle: BundleID? = nil) -> LocalHello {
        LocalHello(
            role: .app, bundle: bundle, name: editor.name, receives: true,
            caller: BusCaller(processID: 4711, path: program, device: 0, inode: 0))
    }

    private func answer(to hello: LocalHello, by executable: String) -> LocalMessage? {
        let client = desk.listener.connect(executable: executable)
        let request = client.hello(hello)
        desk.settle()
        return client.answers(to: request).first
    }

    @Test func anAppThatCallsOnTheBusIsThatApp() {
        guard case .welcome(let welcome)? = answer(to: hello(editor.executable), by: Desk.busDoor) else {
            Issue.record("refused")
            return
        }
        #expect(welcome.isRegistered)
        #expect(desk.clients.clients.map(\.bundle) == [editor.bundle])
    }

    @Test func anyOtherProgramOnTheBusIsAScript() {
        guard case .welcome(let welcome)? = answer(to: hello("/usr/bin/python3"), by: Desk.busDoor) else {
            Issue.record("refused")
            return
        }
        #expect(!welcome.isRegistered)
        #expect(desk.clients.clients.map(\.audience) == [.script])
    }

    @Test func aProgramThatClaimsAnAppWhichItIsNotIsRefused() {
        guard case .failure(let failure)? = answer(to: hello("/usr/bin/python3", editor.bundle), by: Desk.busDoor)
        else {
            Issue.record("taken")
            return
        }
        #expect(failure.code == .notAllowed)
    }

    @Test(arguments: ["/usr/bin/python3", "/home/anna/.local/bin/handoff-bus"])
    func nobodyElseSpeaksForAnother(program: String) {
        guard case .failure(let failure)? = answer(to: hello(editor.executable), by: program) else {
            Issue.record("taken")
            return
        }
        #expect(failure.code == .notAllowed)
        #expect(desk.clients.clients.isEmpty)
    }
}
