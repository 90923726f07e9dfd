// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The list of what went to other devices and arrived from them. Shows W05.
@Suite final class TransferTests {
    private let laptop: DeviceFixture
    private let desktop: DeviceFixture
    private let editor = DeviceFixture.app("editor")
    private let writer: TestClient
    private let reader: TestClient

    init() throws {
        laptop = try DeviceFixture("laptop", apps: [editor])
        desktop = try DeviceFixture("desktop", number: 2, time: laptop.time, apps: [editor])
        laptop.join(desktop)
        writer = laptop.runSaving(editor, persistentIdentifier: "letter-7")
        reader = desktop.run(editor)
        reader.onFrame = { [weak reader] frame in
            switch frame.message {
            case .continuation(.willContinue), .continuation(.continueActivity):
                reader?.answer(frame.request, .done(accepted: true))
            default: break
            }
        }
    }

    private func continueActivity(_ number: UInt8 = 1) {
        let client = desktop.script()
        _ = client.request(
            .continuation(.startContinuation(StartContinuation(activity: DeviceFixture.activity(number)))))
        desktop.time.advance(by: .seconds(1))
    }

    private func transfers(of device: DeviceFixture) -> [String]? {
        guard case .history(.transferList(let transfers))? = device.answer(device.script(), .history(.listTransfers))
        else { return nil }
        return transfers.map {
            "\($0.direction) \($0.title?.text ?? "-") \($0.appName.text) \($0.deviceName.text) \($0.device == nil)"
        }
    }

    private func tell(_ message: LocalMessage, on device: DeviceFixture) {
        _ = device.answer(device.script(), message)
    }

    @Test func continuationIsListedOnBothDevices() {
        laptop.publish(1, by: writer, title: "Letter to Anna")
        continueActivity()
        #expect(transfers(of: laptop) == ["sent Letter to Anna editor desktop false"])
        #expect(transfers(of: desktop) == ["received Letter to Anna editor laptop false"])
        // The same again.
        continueActivity()
        #expect(transfers(of: laptop)?.count == 1)
        laptop.time.advance(by: .seconds(3600))
        continueActivity()
        #expect(transfers(of: laptop)?.count == 2)
    }

    @Test func titleThatItsAppCouldNotDeleteIsNotListed() throws {
        let name = String(repeating: "a", count: 1025)
        let client = laptop.runSaving(editor, persistentIdentifier: name)
        laptop.publish(1, by: client, title: "Letter to Anna")
        continueActivity()
        withExtendedLifetime(client) {}
        #expect(transfers(of: laptop) == ["sent - editor desktop false"])
    }

    /// A hostile member may fetch without a pause.
    @Test func fetchingAgainAndAgainCausesNoWork() throws {
        laptop.publish(1, by: writer, title: "Letter to Anna")
        continueActivity()
        #expect(try laptop.history.remove(.transfers) == 1)
        for _ in 0..<100 { continueActivity() }
        #expect(try laptop.history.transfers().isEmpty)
    }

    @Test func deviceIsListedByItsNameOfToday() {
        laptop.publish(1, by: writer, title: "Letter to Anna")
        continueActivity()
        laptop.membership.members.removeAll { $0.device == desktop.member.device }
        laptop.membership.members.append(
            Member(
                device: desktop.member.device, name: DisplayText(cleaning: "Anna's desk"), kind: .desktop,
                admitted: laptop.time.wallTime, admittedBy: nil))
        #expect(transfers(of: laptop) == ["sent Letter to Anna editor Anna's desk false"])
    }

    @Test func sentActivityIsListedOnceItHasArrived() {
        laptop.publish(1, by: writer, title: "Letter to Anna")
        laptop.part(desktop)
        tell(.sending(.sendActivity(DeviceFixture.activity(1), to: "desktop")), on: laptop)
        #expect(transfers(of: laptop) == [])
        laptop.join(desktop)
        laptop.time.advance(by: .seconds(5))
        #expect(transfers(of: laptop) == ["sent Letter to Anna editor desktop false"])
        // Nothing was continued.
        #expect(transfers(of: desktop) == [])
    }

    @Test func nothingIsListedWhileSwitchedOffOrForbiddenByTheDesktop() {
        laptop.publish(1, by: writer, title: "Letter to Anna")
        tell(.policy(.setPolicy(PolicyChange(PolicySubject(.history, of: editor.bundle), isOff: true))), on: laptop)
        tell(.history(.setDesktopPrivacy(forgets: true)), on: desktop)
        continueActivity()
        #expect(transfers(of: laptop) == [])
        #expect(transfers(of: desktop) == nil)
        tell(.history(.setDesktopPrivacy(forgets: false)), on: desktop)
        #expect(transfers(of: desktop) == [])
    }

    @Test func lockedSessionListsNothing() {
        tell(.presence(.setPresence(PresenceWord(.locked))), on: laptop)
        #expect(transfers(of: laptop) == nil)
    }

    // Shows A35, A36.
    @Test(arguments: [SavedActivities.all, .named(["letter-7"])])
    func titleIsDeletedWithItsActivity(saved: SavedActivities) {
        laptop.publish(1, by: writer, title: "Letter to Anna")
        continueActivity()
        #expect(laptop.answer(writer, .advertising(.deleteSaved(saved))) == .done(accepted: true))
        #expect(transfers(of: laptop) == ["sent - editor desktop false"])
        #expect(transfers(of: desktop) == ["received Letter to Anna editor laptop false"])
        #expect(laptop.answer(laptop.script(), .history(.forgetHistory(.transfers))) == .history(.historyForgotten(1)))
        #expect(transfers(of: laptop) == [])
    }
}
