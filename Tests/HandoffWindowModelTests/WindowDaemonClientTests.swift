// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffStrings
import HandoffWire
import TestPrograms
import Testing

@testable import HandoffWindowModel

/// Two devices with real daemons, through all steps of the window. Shows L10.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) final class WindowDaemonClientTests {
    private let folder = NSTemporaryDirectory() + "handoff-window-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    isolated deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Founds the first device's account, and confirms the key.
    private func found(_ seat: Seat) async throws {
        await seat.wait { seat.client.face == .firstRun }
        seat.client.chooseFirstDevice()
        await seat.wait { if case .key = seat.client.firstRun.step { true } else { false } }
        guard case .key(let key) = seat.client.firstRun.step else { return }
        seat.client.confirmKey(key)
        seat.client.step { $0.sawKey() }
        #expect(seat.client.firstRun.step == .inviting)
    }

    private func joining(_ desktop: Seat, _ laptop: Seat, by inviting: Inviting) async throws {
        await laptop.wait { if case .showing = inviting.invitation.standing { true } else { false } }
        guard case .showing(let offer) = inviting.invitation.standing else { return }
        await desktop.wait { desktop.client.face == .firstRun }
        desktop.client.step { $0.choseToJoin() }
        desktop.client.join(code: offer.code, address: laptop.address)
        await desktop.wait { if case .comparing = desktop.client.joining.standing { true } else { false } }
        await laptop.wait { if case .comparing = inviting.invitation.standing { true } else { false } }
    }

    /// `goingBack`: the desktop first leaves a join that waits for the laptop's user.
    private func pair(goingBack: Bool = false) async throws -> (laptop: Seat, desktop: Seat) {
        let laptop = try await Seat("laptop", in: folder)
        let desktop = try await Seat("desktop", in: folder)
        try await found(laptop)
        let inviting = laptop.invite()
        try await joining(desktop, laptop, by: inviting)
        if goingBack {
            desktop.client.step { $0.wentBack() }
            #expect(desktop.client.joining.standing == .typing(nil))
            try await joining(desktop, laptop, by: inviting)
        }
        guard case .comparing(let here, with: nil) = desktop.client.joining.standing,
            case .comparing(let asked) = inviting.invitation.standing
        else { return (laptop, desktop) }
        #expect(here == asked.number)
        #expect(asked.name.text == "desktop")
        inviting.decide(admit: true)
        await desktop.wait { desktop.client.face == .pages }
        await laptop.wait { inviting.invitation.standing == .joined(DisplayText(cleaning: "desktop")) }
        inviting.close()
        laptop.client.step { $0.finished() }
        await laptop.wait { laptop.client.face == .pages && laptop.client.devices.count == 2 }
        return (laptop, desktop)
    }

    // Shows T01.
    @Test func backCancelsAJoinThatWaitsForTheOtherDevice() async throws {
        let (laptop, desktop) = try await pair(goingBack: true)
        #expect(laptop.client.devices.count == 2)
        #expect(desktop.said.isEmpty)
    }

    // Shows Q04.
    @Test func theFilesOfTheConnectedDaemonAreReadAndChanged() async throws {
        let path = folder + "/laptop/config/config.json"
        try FileManager.default.createDirectory(
            atPath: folder + "/laptop/config", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
        try #"{"notifications": "always"}"#.write(toFile: path, atomically: true, encoding: .utf8)
        let laptop = try await Seat("laptop", in: folder, windowRoot: folder + "/elsewhere")
        func notifications() -> ChoiceLine? {
            laptop.client.preferences.lines(laptop.client.strings).first { $0.key == "notifications" }
        }
        #expect(notifications().map { $0.titles[$0.selected ?? -1] } == "Silent")
        await laptop.wait { notifications().map { $0.titles[$0.selected ?? -1] } == "With sound" }
        let line = try #require(notifications())
        laptop.client.choose(try #require(line.values.firstIndex(of: .text("off"))), for: line)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("off"))
        #expect(!FileManager.default.fileExists(atPath: folder + "/elsewhere"))
    }

    // Shows T01.
    @Test func theRecoveryKeyIsShownAgainUntilItIsConfirmedAndCanBeReplaced() async throws {
        let seat = try await Seat("laptop", in: folder)
        await seat.wait { seat.client.face == .firstRun }
        seat.client.chooseFirstDevice()
        await seat.wait { if case .key = seat.client.firstRun.step { true } else { false } }
        guard case .key(let key) = seat.client.firstRun.step else { return }
        seat.client.step { $0.finished() }
        await seat.wait { seat.client.face == .pages && seat.client.recoveryKey == .unconfirmed }

        var shown: [String] = []
        seat.client.showKey { shown.append($0) }
        await seat.wait { shown == [key] }
        seat.client.confirmKey(key)
        await seat.wait { seat.client.recoveryKey == .confirmed }
        seat.client.showKey { shown.append($0) }
        seat.client.replaceKey(evenWithOthers: false) { shown.append($0) }
        await seat.wait { shown.count == 2 && seat.client.recoveryKey == .unconfirmed }
        #expect(shown.last != key)

        // A page that still shows the former key confirms nothing.
        var said: [String] = []
        seat.client.said = { said.append($0) }
        seat.client.confirmKey(key)
        await seat.wait { !said.isEmpty }
        #expect(seat.client.recoveryKey == .unconfirmed)
    }

    @Test func aDeviceThatIsRenamedElsewhereIsListedByItsNewName() async throws {
        let (laptop, desktop) = try await pair()
        #expect(await (try desktop.command("device", "rename", "desktop", "Study")).end() == 0)
        for seat in [laptop, desktop] {
            await seat.wait { seat.client.devices.map(\.name.text).sorted() == ["Study", "laptop"] }
        }
    }

    // Shows Q06: the laptop's disk runs in two machines.
    @Test func warningsOfTheDaemonAreShownWithTheDevices() async throws {
        let (laptop, desktop) = try await pair()
        await desktop.wait { desktop.client.status != nil }
        #expect(desktop.client.warnings.isEmpty)
        // From now on, the laptop knows the desktop's address.
        try await laptop.logged("Session opened")
        await laptop.stopDaemon()
        try FileManager.default.createDirectory(atPath: folder + "/copy", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: laptop.root + "/state", toPath: folder + "/copy/state")
        let original = try await Seat("laptop", in: folder)
        let copy = try await Seat("copy", in: folder)
        for seat in [original, copy, desktop] {
            try await seat.logged("Two machines have the key of one device")
            seat.client.refreshStatus()
            await seat.wait { !seat.client.warnings.isEmpty }
        }
        let shown = desktop.client.warnings.map { $0.hasPrefix("Two machines have the key of laptop") }
        #expect(shown == [true])
        #expect(copy.client.warnings.first?.contains("as desktop reports") == true)
    }

    // Shows L10, T01, T02.
    @Test func fromNothingToTwoDevicesAndOnWithAPage() async throws {
        let (laptop, desktop) = try await pair()
        let publishing = try await publishing(on: laptop)
        await desktop.wait { !desktop.client.activities.isEmpty }
        let line = try #require(desktop.client.activities.lines(strings, at: .now).first)
        #expect(line.title == "Coffee roasters")
        #expect(line.details == "Reader · laptop · just now")

        var tokens = 0
        desktop.client.makeActivationToken = {
            tokens += 1
            return "desktop-\(tokens)_TIME1"
        }
        desktop.client.press(line.id)
        await desktop.wait { !desktop.opened.isEmpty }
        #expect(tokens == 0, "the browser is opened with one of its own")
        #expect(desktop.opened == ["https://coffee.example/roasters"])
        #expect(desktop.said == ["Opened in the browser."])

        publishing.send(SIGINT)
        await desktop.wait { desktop.client.activities.isEmpty }
        desktop.client.press(line.id)
        #expect(desktop.opened.count == 1, "what is gone is not continued")
    }

    // Shows L10, T04.
    @Test func removedDeviceSaysWhoRemovedItAndStartsOver() async throws {
        let (laptop, desktop) = try await pair()
        await desktop.wait { desktop.client.devices.count == 2 }
        let id = try #require(desktop.client.status?.device)
        laptop.client.remove(id)
        await desktop.wait { desktop.client.face == .removed }
        #expect(desktop.client.removalHeading == "“laptop” Removed This Device")
        desktop.client.leaveAccount()
        await desktop.wait { desktop.client.face == .firstRun }
        #expect(desktop.client.firstRun.step == .welcome(nil))
        #expect(desktop.said.isEmpty)
    }

    // Shows L10, T04.
    @Test func deviceThatLeavesItsAccountIsWelcomedAgain() async throws {
        let (laptop, desktop) = try await pair()
        #expect(!laptop.client.isOnlyDevice)
        // Otherwise, the laptop is notified once they meet.
        try await laptop.logged("Session opened")
        desktop.client.leaveAccount()
        await desktop.wait { desktop.client.face == .firstRun }
        #expect(desktop.client.firstRun.step == .welcome(nil))
        await laptop.wait { laptop.client.isOnlyDevice }
    }

    private func sendable(on seat: Seat) -> [SendingList.Line] {
        seat.client.sending.lines(to: SendingList.receivers(seat.client.devices), strings, at: .now)
    }

    /// A script offers a page that can be sent.
    private func publishing(on seat: Seat) async throws -> Program {
        let script = try seat.command(
            "activity", "publish", "--type", "com.example.reading", "--title", "Coffee roasters", "--name", "Reader",
            "--web", "https://coffee.example/roasters")
        await seat.wait { !sendable(on: seat).isEmpty }
        return script
    }

    // Shows L10, W04.
    @Test func activityIsSentToChosenDeviceAndDismissedThere() async throws {
        let (laptop, desktop) = try await pair()
        let publishing = try await publishing(on: laptop)
        let receiver = try #require(SendingList.receivers(laptop.client.devices).first)
        #expect(receiver.name == "desktop")
        laptop.client.send(try #require(sendable(on: laptop).first).id, to: receiver.id)
        func sent() -> ActivityLine? {
            desktop.client.activities.lines(strings, at: .now).first { $0.dismissLabel != nil }
        }
        await desktop.wait { sent() != nil }
        await laptop.wait { laptop.said == ["Sent to desktop."] }
        #expect(laptop.said == ["Sent to desktop."])
        publishing.send(SIGINT)
        await desktop.wait { desktop.client.activities.lines(strings, at: .now).count == 1 }
        desktop.client.dismiss(try #require(sent()).id)
        await desktop.wait { desktop.client.activities.isEmpty }
        #expect(desktop.said.isEmpty)
    }

    // Shows L10, W04.
    @Test func waitingSendIsListedAndTakenBack() async throws {
        let (laptop, desktop) = try await pair()
        let publishing = try await publishing(on: laptop)
        await desktop.stopDaemon()
        let receiver = try #require(SendingList.receivers(laptop.client.devices).first)
        laptop.client.send(try #require(sendable(on: laptop).first).id, to: receiver.id)
        await laptop.wait { !laptop.client.waiting.lines(strings).isEmpty }
        let waiting = try #require(laptop.client.waiting.lines(strings).first)
        #expect(waiting.title == "Coffee roasters")
        #expect(!waiting.isRefused && waiting.details.hasPrefix("For desktop"))
        laptop.client.takeBack(waiting.id)
        await laptop.wait { laptop.client.waiting.lines(strings).isEmpty }
        #expect(laptop.said == ["Waiting. desktop gets it when it connects."])
        publishing.send(SIGINT)
    }

    // Shows W04: the page is not stored elsewhere.
    @Test func aPageThatWasSentStaysUntilABrowserHasIt() async throws {
        let (laptop, desktop) = try await pair()
        let publishing = try await publishing(on: laptop)
        let send = try laptop.command("activity", "send", "--to", "desktop")
        #expect(await send.end() == 0)
        publishing.send(SIGINT)
        func sent() -> ActivityLine? {
            let lines = desktop.client.activities.lines(strings, at: .now)
            return lines.count == 1 ? lines.first { $0.dismissLabel != nil && $0.isPressable } : nil
        }
        await desktop.wait { sent() != nil }
        desktop.hasBrowser = false
        desktop.client.press(try #require(sent()).id)
        await desktop.wait { desktop.opened.count == 1 && sent() != nil }
        desktop.hasBrowser = true
        desktop.client.press(try #require(sent()).id)
        await desktop.wait { desktop.client.activities.isEmpty }
        #expect(desktop.opened.count == 2)
    }

    // Shows L10, T03, P01: changes made here reach the daemon.
    @Test func devicesAreRenamedAndRemovedAndSwitchesTurned() async throws {
        let (laptop, desktop) = try await pair()
        let other = try #require(laptop.client.devices.first { !$0.isThisDevice })
        laptop.client.rename(other.device, to: "study")
        await laptop.wait { laptop.client.devices.contains { $0.name.text == "study" } }

        laptop.client.turn(laptop.client.settings.line(.receiving, strings), on: false)
        await laptop.wait { !laptop.client.settings.line(.receiving, strings).isOn }
        laptop.client.turn(laptop.client.settings.line(.receiving, strings), on: true)
        await laptop.wait { laptop.client.settings.line(.receiving, strings).isOn }

        laptop.client.remove(other.device)
        await laptop.wait { laptop.client.devices.count == 1 }
        #expect(laptop.said.isEmpty)
        _ = desktop
    }

    // Shows L10: the same file as for `handoff config`, changed from either side.
    @Test func settingsAreThoseOfTheConfigurationFile() async throws {
        let seat = try await Seat("laptop", in: folder)
        await seat.wait { seat.client.face == .firstRun }
        func notifications() throws -> ChoiceLine {
            try #require(seat.client.preferences.lines(strings).first { $0.key == "notifications" })
        }
        seat.client.choose(1, for: try notifications())
        #expect(try notifications().selected == 1)
        let get = try seat.command("config", "get", "notifications")
        #expect(await get.end() == 0)
        #expect(get.output == "quiet\n")

        let set = try seat.command("config", "set", "notifications", "off")
        #expect(await set.end() == 0)
        seat.client.refreshSettings()
        #expect(try notifications().selected == 2)
        #expect(seat.said.isEmpty)
    }

    /// The code ends with its pane.
    @Test func anInviteThatIsClosedIsWorthNothing() async throws {
        let laptop = try await Seat("laptop", in: folder)
        let desktop = try await Seat("desktop", in: folder)
        try await found(laptop)
        let inviting = laptop.invite()
        await laptop.wait { if case .showing = inviting.invitation.standing { true } else { false } }
        guard case .showing(let offer) = inviting.invitation.standing else { return }
        inviting.close()
        await desktop.wait { desktop.client.face == .firstRun }
        desktop.client.join(code: offer.code, address: laptop.address)
        await desktop.wait { if case .typing(.some) = desktop.client.joining.standing { true } else { false } }
        #expect(desktop.client.face == .firstRun)
    }

    @Test func aStoppedDaemonIsNoticedAndANewDaemonIsFound() async throws {
        let seat = try await Seat("laptop", in: folder)
        await seat.wait { seat.client.face == .firstRun }
        await seat.stopDaemon()
        await seat.wait { seat.client.face == .noDaemon }
        seat.client.chooseFirstDevice()
        await seat.wait { if case .welcome(.some) = seat.client.firstRun.step { true } else { false } }
        let again = try Program(
            [
                Program.built + "/handoffd", "--root", seat.root, "--beacons", "false",
            ],
            environment: [:])
        await seat.wait { seat.client.face == .firstRun }
        again.send(SIGTERM)
    }
}
