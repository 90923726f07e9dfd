// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import HandoffTestKit
import Synchronization
import Testing

/// Shows G06.
@Suite @MainActor struct TestAnAppTests {
    final class Reader: HandoffApplicationDelegate {
        private(set) var page = 1
        private(set) var activity: NSUserActivity?

        func read(_ title: String, page: Int) {
            let activity = NSUserActivity(activityType: "com.example.reader.reading")
            activity.title = title
            activity.userInfo = ["page": page]
            activity.becomeCurrent()
            self.activity = activity
        }

        func application(
            _ application: HandoffApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
        ) -> Bool {
            page = userActivity.userInfo?["page"] as? Int ?? 1
            return true
        }
    }

    final class Painter: HandoffApplicationDelegate, NSUserActivityDelegate {
        private nonisolated let canvas = Mutex(Data())
        private var activity: NSUserActivity?

        nonisolated var drawing: Data { canvas.withLock { $0 } }

        func draw(_ drawing: Data) {
            canvas.withLock { $0 = drawing }
            let activity = NSUserActivity(activityType: "com.example.painter.drawing")
            activity.supportsContinuationStreams = true
            activity.delegate = self
            activity.becomeCurrent()
            self.activity = activity
        }

        nonisolated func userActivity(
            _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
        ) {
            outputStream.open()
            _ = drawing.withUnsafeBytes { bytes in
                outputStream.write(bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), maxLength: bytes.count)
            }
            outputStream.close()
            inputStream.close()
        }

        func application(
            _ application: HandoffApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
        ) -> Bool {
            activity = userActivity
            return true
        }

        func load() async throws {
            guard let activity else { return }
            let (input, output) = try await activity.continuationStreams()
            output.close()
            var drawing = Data()
            for try await chunk in input.chunks { drawing += chunk }
            canvas.withLock { $0 = drawing }
        }
    }

    private var infoPlist: URL {
        get throws {
            let info: [String: Any] = [
                "CFBundleIdentifier": "com.example.reader", "NSUserActivityTypes": ["com.example.reader.reading"],
            ]
            let file = FileManager.default.temporaryDirectory.appending(path: "Info-\(UUID()).plist")
            try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0).write(to: file)
            return file
        }
    }

    // Shows G06.
    @Test func theArticleIsTrue() async throws {
        let infoPlist = try infoPlist
        defer { try? FileManager.default.removeItem(at: infoPlist) }
        let reader = try HandoffSimulatedApp(infoPlist: infoPlist) {
            let reader = Reader()
            HandoffApplication.shared.delegate = reader
            return reader
        }

        let account = HandoffSimulatedAccount()
        let laptop = try await account.addDevice(named: "laptop")
        let desktop = try await account.addDevice(named: "desktop")
        try await account.install(reader)

        let here = try await laptop.open(reader)
        here.run { $0.read("Chapter 3", page: 41) }

        let offered = try await desktop.activities()
        #expect(offered.map(\.title) == ["Chapter 3"])

        let there = try await desktop.continueActivity(in: reader)
        #expect(there.main.page == 41)

        here.saveDelay = .seconds(9)
        await #expect(throws: CocoaError.self) { try await desktop.continueActivity() }

        here.saveDelay = .zero
        laptop.leaveNetwork()
        await #expect(throws: CocoaError.self) { try await desktop.continueActivity(offered.first) }
        laptop.rejoinNetwork()

        here.run { $0.activity?.expirationDate = account.now.addingTimeInterval(3600) }
        try await account.pass(.seconds(3601))
        #expect(try await desktop.activities().isEmpty)
    }

    // Shows A34, D04, G06.
    @Test func articleDescribesStreamsCorrectly() async throws {
        let painter = HandoffSimulatedApp("com.example.painter", activityTypes: ["com.example.painter.drawing"]) {
            Painter()
        }
        let account = HandoffSimulatedAccount()
        let laptop = try await account.addDevice(named: "laptop")
        let desktop = try await account.addDevice(named: "desktop")
        try await account.install(painter)
        let here = try await laptop.open(painter)
        here.run { $0.draw(Data("a harbour".utf8)) }

        let there = try await desktop.continueActivity(in: painter)
        try await there.run { try await $0.load() }
        #expect(there.main.drawing == here.main.drawing)

        here.quit()
        try await account.pass(.seconds(1))
        await #expect(throws: CocoaError.self) { try await there.run { try await $0.load() } }
    }

    @Test func theOverviewIsTrue() async throws {
        let reader = HandoffSimulatedApp("com.example.reader", activityTypes: ["com.example.reader.reading"]) {
            Reader()
        }
        let account = HandoffSimulatedAccount()
        let laptop = try await account.addDevice(named: "laptop")
        let desktop = try await account.addDevice(named: "desktop")
        try await account.install(reader)

        let here = try await laptop.open(reader)
        here.run { $0.read("Chapter 3", page: 41) }

        let there = try await desktop.continueActivity(in: reader)
        #expect(there.main.page == 41)
    }
}
