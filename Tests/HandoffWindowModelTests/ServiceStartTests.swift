// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HandoffWindowModel

/// The page that is shown without a daemon. Shows L10.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) final class ServiceStartTests {
    private let folder = NSTemporaryDirectory() + "handoff-window-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    isolated deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test func windowStartsTheServiceOnceAndSaysWhyItFailed() async throws {
        let seat = try await Seat("laptop", in: folder)
        let client = seat.client
        var asked = 0
        var answer: (@MainActor (ServiceStart.Problem?) -> Void)?
        #expect(!client.canStartDaemon)
        client.startService = {
            asked += 1
            answer = $0
        }
        await seat.wait { client.face == .firstRun }
        // Not while a daemon runs.
        client.startDaemon()
        #expect(client.canStartDaemon && asked == 0)

        await seat.stopDaemon()
        await seat.wait { client.face == .noDaemon }
        client.startDaemon()
        client.startDaemon()
        #expect(asked == 1 && client.serviceStart == .starting)
        answer?(.notInstalled)
        #expect(client.serviceStart.sentence(strings)?.contains("its service is not installed") == true)
        client.startDaemon()
        answer?(nil)
        #expect(asked == 2 && client.serviceStart.sentence(strings) == nil)
    }

    @Test func failedServiceNamesItsLog() {
        let sentence = ServiceStart.failed(.failed).sentence(strings)
        #expect(sentence?.contains("journalctl --user --unit handoffd.service") == true)
    }
}
