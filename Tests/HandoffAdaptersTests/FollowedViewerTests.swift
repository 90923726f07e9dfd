// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire
import TestBuses
import Testing

@testable import HandoffAdapters

@Suite(.timeLimit(.minutes(1))) struct FollowedViewerTests {
    /// Counts the questions for its document.
    private final class BusViewer {
        let guest: Guest
        private var object: BusObject?
        private(set) var questions = 0
        var page: Int64 = 0
        private static let language = FollowedViewer.Language.zathura

        init(on fixture: isolated BusFixture, at address: String) async throws {
            guest = try await fixture.connect(to: address)
            guard let bus = guest.connection else { return }
            object = try BusObject(
                [
                    BusInterface(
                        Self.language.interface,
                        properties: [
                            .init("filename", "s") { [unowned self] in
                                questions += 1
                                guest.hears(BusMessage(member: "filename"))
                                return .string("/nonexistent/book.pdf")
                            },
                            .init("pagenumber", "u") { [unowned self] in .uint32(UInt32(page)) },
                        ])
                ], at: Self.language.path, on: bus)
        }

        var name: InstanceName { InstanceName(guest.connection?.uniqueName ?? "") }
    }

    // Shows M03.
    @Test func viewerWithoutTheFocusIsNotAsked() async throws {
        try await withPrivateBus { fixture, bus in
            let viewer = try await BusViewer(on: fixture, at: bus.address)
            let adapter = try await fixture.connect(to: bus.address)
            let tools = try FollowTools.of(adapter, on: fixture)
            let short = Duration.milliseconds(1)
            let followed = FollowedViewer(
                .zathura(viewer.name), tools, pace: .init(opening: short, withFocus: short, unknown: short))
            try await viewer.guest.wait(isolation: fixture) { _ in viewer.questions > 10 }

            followed.focusChanged(false)
            let before = viewer.questions
            for _ in 0..<100 {
                _ = try await adapter.call(
                    BusCall(viewer.name.text, "/", "org.freedesktop.DBus.Peer", "Ping"), isolation: fixture
                ).get()
            }
            // One that was on its way, and one for the page at which the user left it.
            #expect(viewer.questions <= before + 2)

            followed.focusChanged(true)
            let resting = viewer.questions
            try await viewer.guest.wait(isolation: fixture) { _ in viewer.questions > resting + 10 }
        }
    }
}
