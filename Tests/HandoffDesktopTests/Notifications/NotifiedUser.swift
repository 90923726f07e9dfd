// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffClient
import HandoffCore
import HandoffWire
import TestBuses

@testable import HandoffDesktop

/// It belongs to one `BusFixture`, and is used only on it.
final class NotifiedUser {
    let feature: NotificationsFeature
    private let fixture: DaemonClient
    private let connector: BusConnector

    /// All decisions are immediate, so notifications are shown in the order of decisions.
    private static let limits: NotifyingLimits = {
        var limits = NotifyingLimits()
        limits.dwell = .zero
        limits.interval = .zero
        limits.retry = .milliseconds(10)
        return limits
    }()

    init(
        at address: String, _ daemon: ScriptedDaemon, folder: String, environment: [String: String] = [:],
        draw: ComposedIcons.Draw? = nil, on loop: BusLoop
    ) {
        let fixture = DaemonClient(
            daemon, hello: LocalHello(role: .control, name: DisplayText(cleaning: "handoff-bus")), on: loop)
        let locations = Locations(root: folder)
        let icons = AppIcons(fixture, draw: draw, on: loop)
        let feature = NotificationsFeature(
            fixture, locations: locations, settings: SettingsWatch(locations, on: loop), icons: icons,
            limits: Self.limits, answerTime: .milliseconds(300), strings: DesktopStrings(environment), on: loop)
        connector = BusConnector(to: address, on: loop)
        self.fixture = fixture
        self.feature = feature
        connector.connected = { feature.busConnected($0) }
        connector.disconnected = { feature.busDisconnected() }
        fixture.connected = { [unowned fixture] welcome in
            icons.daemonConnected(welcome)
            feature.daemonConnected(welcome)
            fixture.follow(.advertising(.listActivities(watch: true, all: true))) { result in
                guard case .success(.advertising(.activityList(let offers))) = result else { return }
                icons.prepare(offers) { feature.offersChanged(offers) }
            }
        }
        fixture.disconnected = { feature.offersChanged([]) }
        connector.start()
        fixture.start()
        daemon.appear()
    }
}

final class UserFolder: Sendable {
    let path = NSTemporaryDirectory() + "handoff-notified-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path + "/config", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func set(_ members: String) throws {
        try "{\(members)}".write(toFile: path + "/config/config.json", atomically: true, encoding: .utf8)
    }
}

enum Articles {
    static let reader = bundle("com.example.reader")

    private static func bundle(_ name: String) -> BundleID {
        guard let bundle = try? BundleID(name) else { preconditionFailure("\(name) is no bundle identifier") }
        return bundle
    }

    /// Each number is a different activity on the laptop.
    static func article(_ number: UInt8, _ title: String = "Weather") -> ListedActivity {
        let offer = Offer(
            activity: ActivityID(uncheckedBytes: Array(repeating: number, count: ActivityID.byteCount)),
            type: .browsingWeb, title: DisplayText(cleaning: title), bundle: reader,
            appName: DisplayText(cleaning: "Reader"),
            team: .personal(AccountID(uncheckedBytes: Array(repeating: 0, count: AccountID.byteCount))),
            since: WallTime(milliseconds: Int64(number)))
        return ListedActivity(
            offer: offer, device: DeviceID(uncheckedBytes: Array(repeating: 1, count: 32)),
            deviceName: DisplayText(cleaning: "Anna's laptop"), deviceKind: .laptop, isFromThisDevice: false,
            target: .app(reader), targetName: DisplayText(cleaning: "Reader"))
    }

    static var outcome: LocalMessage {
        .continuation(
            .outcome(
                ContinuationOutcome(
                    continuation: ContinuationID(uncheckedBytes: Array(repeating: 1, count: ContinuationID.byteCount)),
                    phases: [], how: .app(reader), targetName: DisplayText(cleaning: "Reader"))))
    }
}
