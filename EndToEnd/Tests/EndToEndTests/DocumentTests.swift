// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Documents in real viewers, which know nothing of Handoff, between two devices.
@Suite(.serialized, .needsNamespaces) struct DocumentTests {
    enum Viewer: String, CaseIterable, Sendable {
        case zathura = "org.pwmt.zathura"
        case okular = "org.kde.okular"

        var program: String {
            switch self {
            case .zathura: "zathura"
            case .okular: "okular"
            }
        }

        /// A call of the running viewer's `path`.
        private var path: String {
            switch self {
            case .zathura: "/org/pwmt/zathura"
            case .okular: "/okular"
            }
        }

        /// `page`: from 1.
        func turn(to page: Int, on device: Device, _ name: String) throws {
            switch self {
            case .zathura: try device.call(name, path, "org.pwmt.zathura.GotoPage", ["\(page - 1)"])
            case .okular: try device.call(name, path, "org.kde.okular.goToPage", ["\(page)"])
            }
        }

        /// As `gdbus` shows it.
        func page(on device: Device, _ name: String) throws -> String {
            switch self {
            case .zathura: try device.property("pagenumber", of: "org.pwmt.zathura", name, path)
            case .okular: try device.call(name, path, "org.kde.okular.currentPage")
            }
        }

        func shown(_ page: Int) -> String {
            switch self {
            case .zathura: "(<uint32 \(page - 1)>,)"
            case .okular: "(uint32 \(page),)"
            }
        }
    }

    private static let book = "Documents/büch #1, 100%?.pdf"

    // Shows M03.
    @Test(arguments: Viewer.allCases.filter { HomePair.isInstalled($0.program) })
    func documentContinuesAtTheSamePage(in viewer: Viewer) throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true) {
                try $0.write(SampleBook.pages(30), to: Self.book)
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            let offer = try offer(of: viewer, in: pair)
            #expect(offer["app"]?.string == "system:\(viewer.rawValue)")
            try viewer.turn(to: 12, on: laptop, try name(of: viewer, on: laptop))

            try desktop.handoff("activity", "continue", try #require(offer["activity"]?.string))
            #expect(try viewer.page(on: desktop, try name(of: viewer, on: desktop)) == viewer.shown(12))
        }
    }

    // Shows M07.
    @Test(arguments: Viewer.allCases.filter { HomePair.isInstalled($0.program) })
    func documentThatOnlyTheOriginHasOpensAsACopy(in viewer: Viewer) throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true) { device in
                if device.name == "laptop" { try device.write(SampleBook.pages(30), to: Self.book) }
                try device.write("", to: "Downloads/büch #1, 100%? (from laptop).pdf")
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            let offer = try #require(try offer(of: viewer, in: pair)["activity"]?.string)
            try viewer.turn(to: 12, on: laptop, try name(of: viewer, on: laptop))

            try desktop.handoff("activity", "continue", offer)
            #expect(try viewer.page(on: desktop, try name(of: viewer, on: desktop)) == viewer.shown(12))
            let downloads = desktop.home.appending(path: "Downloads")
            let copy = try Data(contentsOf: downloads.appending(path: "büch #1, 100%? (from laptop 2).pdf"))
            #expect(copy == SampleBook.pages(30))
            // A name that is taken stays as it is.
            #expect(try Data(contentsOf: downloads.appending(path: "büch #1, 100%? (from laptop).pdf")).isEmpty)

            // The copy has the same content, so it is not fetched again.
            try desktop.handoff("activity", "continue", offer)
            #expect(try FileManager.default.contentsOfDirectory(atPath: downloads.path).count == 2)
        }
    }

    // Shows M07.
    @Test(.enabled(if: HomePair.isInstalled("zathura"), "zathura is not installed"))
    func largeDocumentIsFetchedAfterAQuestion() throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true) { device in
                if device.name == "laptop" { try device.write(SampleBook.pages(30, filler: 65 << 20), to: Self.book) }
            }
            let desktop = pair.desktop
            let notices = try startNotices(on: desktop)
            // zathura reads the whole file first.
            let offer = try offer(of: .zathura, in: pair, within: .seconds(60))

            let continuing = try desktop.start("activity", "continue", try #require(offer["activity"]?.string))
            try notices.output.next("the question", within: .seconds(20)) { $0.contains("Fetch “büch #1, 100%?.pdf”?") }
            // The first is the offer.
            try desktop.call(
                Self.server, "/org/freedesktop/Notifications", "org.freedesktop.DBus.Mock.EmitSignal",
                [Self.server, "ActionInvoked", "us", "[<uint32 2>, <'fetch'>]"])
            #expect(try continuing.waitForExit(within: .seconds(20)) == 0)
            let copy = desktop.home.appending(path: "büch #1, 100%? (from laptop).pdf")
            let shown = try stage.follow(copy, name: "copy")
            try shown.next("the copy", within: .seconds(60)) { $0.hasPrefix("%PDF") }
            #expect(try Data(contentsOf: copy) == SampleBook.pages(30, filler: 65 << 20))
        }
    }

    /// The network is slow enough to see the progress.
    // Shows M07.
    @Test(.enabled(if: HomePair.isInstalled("zathura"), "zathura is not installed"))
    func fetchThatIsCutOffIsExplainedAndLeavesNothing() throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true) { device in
                if device.name == "laptop" { try device.write(SampleBook.pages(30, filler: 60 << 20), to: Self.book) }
                try device.write("", to: "Downloads/.keep")
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            try pair.network.slow("laptop", to: 2_000_000)
            let notices = try startNotices(on: desktop)
            // zathura reads the whole file first.
            let offer = try offer(of: .zathura, in: pair, within: .seconds(60))

            let continuing = try desktop.start("activity", "continue", try #require(offer["activity"]?.string))
            try notices.output.next("the progress", within: .seconds(20)) { $0.contains("of 62.9 MB from laptop") }
            #expect(try continuing.waitForExit(within: .seconds(20)) == 0)
            try laptop.killDaemon()
            try notices.output.next("the failure", within: .seconds(60)) { $0.contains("was not fetched") }
            let downloads = desktop.home.appending(path: "Downloads")
            #expect(try FileManager.default.contentsOfDirectory(atPath: downloads.path) == [".keep"])
        }
    }

    /// Opens the book on the laptop. Returns its activity as the desktop lists it.
    private func offer(of viewer: Viewer, in pair: Pair, within bound: Duration = .seconds(20)) throws -> JSON {
        try pair.laptop.handoff("programs", "on", viewer.rawValue)
        let watch = try pair.desktop.watchActivities()
        _ = try pair.laptop.start(
            program: [viewer.program, pair.laptop.home.path + "/" + Self.book], name: viewer.program)
        let list = try watch.output.next("the book", within: bound) { $0.contains("büch #1, 100%?") }
        return try #require(try JSON(text: list).elements.first)
    }

    private static let server = "org.freedesktop.Notifications"

    /// The notifications of a server with actions.
    private func startNotices(on device: Device) throws -> RunningProgram {
        _ = try device.start(
            program: [
                "/usr/bin/python3", "-m", "dbusmock", "--template", "notification_daemon", "--parameters",
                #"{"capabilities": "actions body"}"#,
            ], name: "server")
        try device.awaitBusName(Self.server)
        return try device.monitor("interface='\(Self.server)',member='Notify'")
    }

    /// Evince stores the page with gvfs, and each document has a process of its own.
    // Shows M03.
    @Test(.enabled(if: HomePair.isInstalled("evince"), "Evince is not installed"))
    func documentContinuesAtTheSamePageInEvince() throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true) { device in
                try device.write(SampleBook.pages(30), to: Self.book)
                // gvfs stores nothing of files in the temporary folder.
                device.environment["TMPDIR"] = "/nonexistent"
                device.environment["GSETTINGS_BACKEND"] = "memory"
            } services: { bus in
                try bus.start("org.gtk.vfs.Metadata", by: ["/usr/libexec/gvfsd-metadata"])
                try bus.start("org.gtk.vfs.Daemon", by: ["/usr/libexec/gvfsd"])
                try bus.start("org.gnome.evince.Daemon", by: ["/usr/libexec/evinced"])
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            for device in [laptop, desktop] {
                try device.handoff("programs", "on", "org.gnome.Evince")
                try device.awaitBusName("org.handoff.Adapters")
            }
            let watch = try desktop.watchActivities()
            _ = try laptop.start(program: ["evince", laptop.home.path + "/" + Self.book], name: "evince")
            let list = try watch.output.next("the book", within: .seconds(20)) { $0.contains("büch #1, 100%?") }
            let offer = try #require(try JSON(text: list).elements.first)
            #expect(offer["app"]?.string == "system:org.gnome.Evince")
            for _ in 0..<3 { try turnPage(on: laptop) }

            let back = try laptop.watchActivities()
            try desktop.handoff("activity", "continue", try #require(offer["activity"]?.string))
            try back.output.next("the book on the desktop", within: .seconds(20)) { $0.contains("büch #1, 100%?") }
            // It can be asked only by what it stores, and there it stores nothing in the temporary folder.
            let programs = try desktop.output(of: "ps", "-ww", "-e", "-o", "args")
            #expect(programs.contains { $0.hasPrefix("/usr/bin/evince --page-index=4 \(desktop.home.path)") })
        }
    }

    /// Returns once Evince has stored the page. A window that was just opened loses keys.
    private func turnPage(on device: Device) throws {
        let changes = try device.monitor("type='signal',interface='org.gtk.vfs.Metadata'")
        for _ in 0..<5 {
            try device.run([
                "xdotool", "search", "--sync", "--onlyvisible", "--class", "evince", "windowfocus", "--sync",
            ])
            try device.run(["xdotool", "key", "n"])
            let stored = try? changes.output.next("the page", within: .seconds(3)) { $0.contains("AttributeChanged") }
            if stored != nil { return }
        }
        throw Unmet("Evince stores no page")
    }

    private func name(of viewer: Viewer, on device: Device) throws -> String {
        try #require(
            try device.busNames().first { $0.hasPrefix("org.kde.okular-") || $0.hasPrefix("org.pwmt.zathura.") })
    }
}
