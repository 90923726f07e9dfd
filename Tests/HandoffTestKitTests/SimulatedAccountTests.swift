// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import Testing

@testable import HandoffTestKit

/// Shows G06: an app's own tests with two devices in one process.
@Suite(.timeLimit(.minutes(2))) @MainActor struct SimulatedAccountTests {
    let account = HandoffSimulatedAccount()

    private func pair() async throws -> (laptop: HandoffSimulatedDevice, desktop: HandoffSimulatedDevice) {
        let laptop = try await account.addDevice(named: "laptop")
        let desktop = try await account.addDevice(named: "desktop")
        try await account.install(Reader.app)
        return (laptop, desktop)
    }

    @Test func anActivityIsOfferedListedAndContinued() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(Reader.app)
        here.run { $0.read("Chapter 3", page: 41) }

        let offered = try await desktop.activities()
        #expect(offered.map(\.title) == ["Chapter 3"])
        #expect(offered.first?.deviceName == "laptop")
        #expect(offered.first?.target == .app(bundleIdentifier: "com.example.reader"))
        #expect(try await laptop.activities().isEmpty)

        let there = try await desktop.continueActivity(in: Reader.app)
        #expect(there.main.page == 41)
        #expect(there.main.calls == ["will \(Reader.reading)", "continue"])
        #expect(here.main.backgroundCalls == ["save", "was continued"])
    }

    // Shows B08, D01, D02.
    @Test func theStateIsSavedWhenItIsAskedFor() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(Reader.app)
        here.run { reader in
            reader.read("Chapter 3")
            reader.turn(to: 2)
            reader.turn(to: 3)
        }
        #expect(here.main.backgroundCalls.isEmpty)
        let there = try await desktop.continueActivity(in: Reader.app)
        #expect(there.main.page == 3)
        #expect(here.main.backgroundCalls == ["save", "was continued"])
        #expect(here.main.calls == ["after save"])
    }

    // Shows B26.
    @Test func anAppThatDoesNotRunIsStartedOnce() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(Reader.app)
        here.run { $0.read("Chapter 3", page: 41) }
        #expect(desktop.process(of: Reader.app) == nil)
        let first = try await desktop.continueActivity(in: Reader.app)
        let second = try await desktop.continueActivity(in: Reader.app)
        #expect(first === second)
        #expect(first.main.calls.filter { $0 == "continue" }.count == 2)
    }

    @Test func resignedActivityIsWithdrawn() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(Reader.app)
        here.run { $0.read("Chapter 3") }
        #expect(try await desktop.activities().count == 1)
        here.run { $0.activity?.resignCurrent() }
        #expect(try await desktop.activities().isEmpty)
        here.run { $0.activity?.becomeCurrent() }
        #expect(try await desktop.activities().count == 1)
        #expect(here.isRunning)
    }

    @Test func onlyLatestOfManyChangesIsSeen() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(Reader.app)
        here.run { reader in (1...30).forEach { reader.read("Chapter \($0)", page: $0) } }
        #expect(try await desktop.activities().map(\.title) == ["Chapter 30"])
        here.run { reader in (1...30).forEach { reader.activity?.title = "Page \($0)" } }
        #expect(try await desktop.activities().map(\.title) == ["Page 30"])
    }

    // Shows A17.
    @Test func theTestControlsTheTime() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(Reader.app)
        let started = account.now
        here.run { reader in
            reader.read("Chapter 3")
            reader.activity?.expirationDate = account.now.addingTimeInterval(3600)
        }
        #expect(try await desktop.activities().count == 1)
        try await account.pass(.seconds(3601))
        #expect(try await desktop.activities().isEmpty)
        #expect(account.now.timeIntervalSince(started) > 3600)
    }

    // Shows E03, H05.
    @Test func anOriginThatIsSlowIsOneFailure() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(Reader.app)
        let there = try await desktop.open(Reader.app)
        here.run { $0.read("Chapter 3") }
        here.saveDelay = .seconds(9)
        let error = await #expect(throws: CocoaError.self) { try await desktop.continueActivity() }
        #expect(error?.code == .userActivityRemoteApplicationTimedOut)
        #expect(there.main.calls == ["will \(Reader.reading)", "fail 4610"])
        here.saveDelay = .zero
        try await desktop.continueActivity()
        #expect(there.main.calls.last == "continue")
    }

    // Shows E02.
    @Test func aDeviceThatLeftTheNetworkIsOneFailure() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(Reader.app)
        let there = try await desktop.open(Reader.app)
        here.run { $0.read("Chapter 3") }
        let offered = try #require(try await desktop.activities().first)
        laptop.leaveNetwork()
        let error = await #expect(throws: CocoaError.self) { try await desktop.continueActivity(offered) }
        #expect(error?.isUserActivityError == true)
        #expect(there.main.calls.count == 2 && there.main.calls[1].hasPrefix("fail 46"))
        try await account.pass(.seconds(60))
        #expect(try await desktop.activities().isEmpty)
        laptop.rejoinNetwork()
        try await account.pass(.seconds(60))
        #expect(try await desktop.activities().map(\.title) == ["Chapter 3"])
    }

    // Shows B03, B04.
    @Test func anotherTeamsAppAndAnUndeclaredTypeFail() async throws {
        let (laptop, desktop) = try await pair()
        let rival = HandoffSimulatedApp("com.example.rival", team: "RIVALTEAM0", activityTypes: [Reader.reading]) {
            Reader()
        }
        let mute = HandoffSimulatedApp("com.example.mute", activityTypes: []) { Reader() }
        try await laptop.install(rival)
        try await laptop.install(mute)
        let other = try await laptop.open(rival)
        other.run { $0.read("Ours") }
        let offered = try #require(try await desktop.activities().first)
        guard case .nothing = offered.target else {
            Issue.record("\(offered.target)")
            return
        }
        await #expect(throws: CocoaError.self) { try await desktop.continueActivity(offered) }
        await #expect(throws: HandoffSimulationError.self) { try await desktop.open(mute) }
    }

    // Shows B23.
    @Test func continuedActivityCanContinueOnThirdDevice() async throws {
        let (laptop, desktop) = try await pair()
        let tablet = try await account.addDevice(named: "tablet")
        try await tablet.install(Reader.app)
        let here = try await laptop.open(Reader.app)
        here.run { $0.read("Chapter 3", page: 41) }
        let there = try await desktop.continueActivity(in: Reader.app)
        there.run { $0.activity?.becomeCurrent() }
        let fromDesktop = try #require(try await tablet.activities().first { $0.deviceName == "desktop" })
        #expect(try await tablet.continueActivity(fromDesktop, in: Reader.app).main.page == 41)
        #expect(there.main.backgroundCalls.last == "was continued")
    }

    @Test func pageOpensWithoutAnApp() async throws {
        let laptop = try await account.addDevice(named: "laptop")
        let desktop = try await account.addDevice(named: "desktop")
        try await laptop.install(Reader.app)
        let here = try await laptop.open(Reader.app)
        let page = try #require(URL(string: "https://reader.example/chapter-3"))
        here.run { reader in
            reader.read("Chapter 3")
            reader.activity?.webpageURL = page
        }
        let offered = try #require(try await desktop.activities().first)
        #expect(offered.target == .webPage)
        #expect(try await desktop.continueActivity(offered) == .webPage(page))
    }

    @Test func theSameTestTakesTheSameCourse() async throws {
        func course() async throws -> (Date, [String]) {
            let account = HandoffSimulatedAccount(seed: 7, now: Date(timeIntervalSince1970: 1_800_000_000))
            let laptop = try await account.addDevice(named: "laptop")
            let desktop = try await account.addDevice(named: "desktop")
            try await account.install(Reader.app)
            let here = try await laptop.open(Reader.app)
            here.run { $0.read("Chapter 3", page: 41) }
            let there = try await desktop.continueActivity(in: Reader.app)
            return (account.now, there.main.calls + here.main.backgroundCalls)
        }
        let (first, second) = (try await course(), try await course())
        #expect(first.0 == second.0)
        #expect(first.1 == second.1)
    }

    @Test func invalidDevicesAndAppsAreRejected() async throws {
        let laptop = try await account.addDevice(named: "laptop")
        await #expect(throws: HandoffSimulationError.self) { _ = try await account.addDevice(named: "laptop") }
        for app in [
            HandoffSimulatedApp("no spaces here", activityTypes: [], main: { Reader() }),
            HandoffSimulatedApp("com.example.reader", activityTypes: [""], main: { Reader() }),
            HandoffSimulatedApp("com.example.reader", team: "short", activityTypes: [], main: { Reader() }),
        ] {
            await #expect(throws: HandoffSimulationError.self) { try await laptop.install(app) }
        }
        await #expect(throws: HandoffSimulationError.self) { _ = try await laptop.continueActivity() }
    }
}
