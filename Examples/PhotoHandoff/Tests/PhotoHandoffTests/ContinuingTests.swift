// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import HandoffTestKit
import Testing

@testable import PhotoHandoff

/// A laptop and a desktop with the app on both, in this process.
@Suite @MainActor struct ContinuingTests {
    let account = SimulatedAccount()
    let app: SimulatedApp<PhotoHandoffApp>

    init() throws {
        let bundle = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Bundle")
        app = try SimulatedApp(infoPlist: bundle.appending(path: "Info.plist")) { PhotoHandoffApp() }
    }

    private func pair() async throws -> (laptop: SimulatedDevice, desktop: SimulatedDevice) {
        let laptop = try await account.addDevice(named: "laptop")
        let desktop = try await account.addDevice(named: "desktop")
        try await account.install(app)
        return (laptop, desktop)
    }

    // The settings go in the payload, the photo through streams.
    @Test func thePhotoComesWholeAndWithItsFilter() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(app)
        here.run { app in
            app.open("Hills.ppm", Picture.sample.ppm)
            app.set(\.contrast, 40)
        }
        #expect(try await desktop.activities().map(\.title) == ["Hills.ppm"])
        let there = try await desktop.continueActivity(in: app)
        await there.run { await $0.loading?.value }
        #expect(there.main.edit?.file == Picture.sample.ppm)
        #expect(there.main.edit?.filter == Filter(contrast: 40))
        #expect(there.main.result == here.main.result)
    }

    @Test func itGoesOnToAThirdDevice() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(app)
        here.run { $0.open("Hills.ppm", Picture.sample.ppm) }
        let there = try await desktop.continueActivity(in: app)
        await there.run { await $0.loading?.value }
        here.quit()
        let tablet = try await account.addDevice(named: "tablet")
        try await account.install(app)
        let third = try await tablet.continueActivity(in: app)
        await third.run { await $0.loading?.value }
        #expect(third.main.edit?.picture == .sample)
    }

    @Test func aPhotoThatDoesNotComeIsNotShown() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(app)
        here.run { $0.open("Hills.ppm", Picture.sample.ppm) }
        let offered = try #require(try await desktop.activities().first)
        let there = try await desktop.open(app)
        here.quit()
        // What the app had saved is still there, but nobody to give the photo.
        _ = try? await desktop.continueActivity(offered)
        await there.run { await $0.loading?.value }
        #expect(there.main.edit == nil)
    }

    @Test func whatMakesNoSenseIsNotTaken() {
        var payload = EditPayload(try! Edit(name: "Hills.ppm", file: Picture.sample.ppm))
        #expect(payload.isSensible)
        payload.filter.contrast = 1000
        #expect(!payload.isSensible)
        payload.filter.contrast = 0
        for byteCount in [-1, 0, EditPayload.limit + 1] {
            payload.byteCount = byteCount
            #expect(!payload.isSensible)
        }
        payload.byteCount = 1
        payload.version = 2
        #expect(!payload.isSensible)
    }
}
