// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffIcons
import HandoffWire
import Testing

@testable import HandoffBrowserHost

/// The icons of apps in the extension's list.
// Shows L06, L17.
@Suite(.timeLimit(.minutes(1))) struct SentIconsTests {
    private typealias Action = BrowserStateMachine.Action

    private let now = ContinuousClock.now
    private let ask = Action.ask(.launching(.listApps), .apps)
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private func offer(_ number: UInt8, in app: String?) throws -> ListedActivity {
        ListedActivity(
            offer: Offer(
                activity: ActivityID(uncheckedBytes: Array(repeating: number, count: 16)), type: .browsingWeb,
                appName: DisplayText(cleaning: "App"),
                team: .personal(AccountID(uncheckedBytes: Array(repeating: 1, count: 32))),
                since: WallTime(milliseconds: 0)),
            device: DeviceID(uncheckedBytes: Array(repeating: 9, count: 32)),
            deviceName: DisplayText(cleaning: "tablet"), deviceKind: .tablet, isFromThisDevice: false,
            target: try app.map { .app(try BundleID($0)) } ?? .webPage, targetName: DisplayText(cleaning: "App"))
    }

    private func app(_ name: String) throws -> AppSummary {
        AppSummary(
            bundle: try BundleID(name), name: DisplayText(cleaning: name), version: "1", team: nil, teamName: nil,
            isInDevelopment: true, isTrusted: true, activityTypes: [], path: "/\(name)", isRunning: false)
    }

    private func machine() -> BrowserStateMachine {
        var machine = BrowserStateMachine(opensHandoff: true, noDaemon: .noDaemon(.command("handoffd &")))
        let welcome = Welcome(
            version: 1, deviceName: DisplayText(cleaning: "desktop"), isRegistered: false,
            software: DisplayText(cleaning: "handoffd"))
        _ = machine.connected(
            welcome, fresh: ActivityID(uncheckedBytes: Array(repeating: 1, count: 16)), at: now)
        return machine
    }

    @Test func eachAppsIconIsSentOnce() throws {
        var machine = machine()
        let list = { (offers: [ListedActivity]) -> Result<LocalMessage, Failure> in
            .success(.advertising(.activityList(offers)))
        }
        let apps = Result<LocalMessage, Failure>.success(
            .launching(.appList([try app("a.notes"), try app("a.mail"), try app("a.other")])))
        #expect(!machine.answered(.list, list([try offer(1, in: nil)]), at: now).contains(ask))
        let first = machine.answered(.list, list([try offer(1, in: nil), try offer(2, in: "a.notes")]), at: now)
        #expect(first.contains(ask))
        guard case .tell(.state(let state))? = first.first else {
            Issue.record("no list")
            return
        }
        #expect(state.offers.map(\.app) == [nil, "a.notes"])
        // Not again while it is asked; then for both.
        let more = [try offer(2, in: "a.notes"), try offer(3, in: "a.mail"), try offer(4, in: "a.notes")]
        #expect(!machine.answered(.list, list(more), at: now).contains(ask))
        let (notes, mail) = (try BundleID("a.notes"), try BundleID("a.mail"))
        #expect(machine.answered(.apps, apps, at: now) == [.readIcons([notes: "/a.notes", mail: "/a.mail"])])
        #expect(
            machine.iconsRead([notes: "data:n", mail: "data:m"])
                == [.tell(.icon(app: "a.mail", data: "data:m")), .tell(.icon(app: "a.notes", data: "data:n"))])
        #expect(!machine.answered(.list, list([try offer(2, in: "a.notes")]), at: now).contains(ask))
    }

    @Test func numberOfIconsIsLimited() throws {
        var icons = SentIcons()
        let names = (0..<2 * BrowserLimits.iconsSent).map { "a.app\($0 + 1000)" }
        let apps = try names.map(app)
        var sent = 0
        for start in stride(from: 0, to: names.count, by: 20) {
            let offers = try names[start..<min(names.count, start + 20)].compactMap {
                ShownOffer(try offer(1, in: $0))
            }
            if icons.listed(offers) { sent += icons.installed(apps).count }
        }
        #expect(sent == BrowserLimits.iconsSent)
    }

    @Test func onlyPNGAndSVGOfLimitedSizeReachTheBrowser() {
        let svg = Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)
        #expect(RowIcons.url(.bytes(Self.png))?.hasPrefix("data:image/png;base64,iVBOR") == true)
        for start in ["", "<!-- icon -->", "\u{FEFF}<?xml version='1.0'?>"] {
            let url = RowIcons.url(.bytes(Array(start.utf8) + svg))
            #expect(url?.hasPrefix("data:image/svg+xml;base64,") == true)
        }
        #expect(RowIcons.url(.bytes(Array("text <svg".utf8))) == nil)
        #expect(RowIcons.url(.bytes(Array("<html>".utf8))) == nil)
        #expect(RowIcons.url(.name("notes")) == nil)
        #expect(RowIcons.url(nil) == nil)
        let most = Self.png + [UInt8](repeating: 0, count: BrowserLimits.iconBytes - Self.png.count)
        #expect(RowIcons.url(.bytes(most)) != nil)
        #expect(RowIcons.url(.bytes(most + [0])) == nil)
    }

    @Test func withoutTheDrawingProgramTheFileOfABundleIsSent() throws {
        let folder = NSTemporaryDirectory() + "handoff-row-icons-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(Self.png).write(to: URL(filePath: folder + "/notes.png"))
        for (name, icon) in [("notes", folder + "/notes.png"), ("mail", "mail")] {
            try "[Desktop Entry]\nType=Application\nName=App\nIcon=\(icon)\n"
                .write(toFile: "\(folder)/\(name).desktop", atomically: true, encoding: .utf8)
        }
        let (notes, mail) = (try BundleID("a.notes"), try BundleID("a.mail"))
        let paths = [notes: folder + "/notes.desktop", mail: folder + "/mail.desktop"]
        #expect(RowIcons(drawer: IconDrawer { nil }).read(paths) == [notes: "data:image/png;base64,iVBORw0KGgo="])
    }
}
