// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import HandoffTestKit
import Testing

@testable import PhotoHandoff

/// A laptop and a desktop, both with the app, in this process.
@Suite(.timeLimit(.minutes(2))) @MainActor struct TwoDevicesTests {
    let account = HandoffSimulatedAccount()
    let photos: HandoffSimulatedApp<PhotoHandoffApp>

    init() throws {
        let bundle = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Bundle")
        photos = try HandoffSimulatedApp(infoPlist: bundle.appending(path: "Info.plist")) { PhotoHandoffApp() }
    }

    private func pair() async throws -> (
        here: HandoffSimulatedProcess<PhotoHandoffApp>, desktop: HandoffSimulatedDevice
    ) {
        let laptop = try await account.addDevice(named: "laptop")
        let desktop = try await account.addDevice(named: "desktop")
        try await account.install(photos)
        let here = try await laptop.open(photos)
        here.run { app in
            app.open("Sample.ppm", Picture.sample.ppm)
            app.set(\.contrast, 40)
        }
        return (here, desktop)
    }

    // Shows A33, D04, G06.
    @Test func aPhotoArrivesWithItsFilter() async throws {
        let (here, desktop) = try await pair()
        let there = try await desktop.continueActivity(in: photos)
        await there.run { await $0.loading?.value }
        let isThere = there.main.edit?.file == here.main.edit?.file
        #expect(isThere)
        #expect(there.main.edit?.filter.contrast == 40)
        // It is now the activity of that device.
        #expect(try await account.devices[0].activities().map(\.title) == ["Sample.ppm"])
    }

    @Test func aPhotoWhoseAppHasQuitDoesNotCome() async throws {
        let (here, desktop) = try await pair()
        try await account.pass(.seconds(10))
        here.quit()
        let there = try await desktop.continueActivity(in: photos)
        await there.run { await $0.loading?.value }
        #expect(there.main.edit == nil)
    }
}
