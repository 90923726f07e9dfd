// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The real LibreOffice between two devices, with our extension in it.
@Suite(.serialized, .needsNamespaces) struct OfficeTests {
    private static let program = "libreoffice-startcenter"
    private static let adapter = "org.handoff.Adapter.\(program)"
    private static let letter = "Letters/brïef #1, 100%?.fodt"
    private static let pages = 30
    /// That the adapter gives.
    private static let states = "sender='\(adapter)'"
    private static let isPossible =
        HomePair.isInstalled("soffice")
        && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/uno.py")

    private let installed: InstalledAdapter

    init() throws {
        let desktop = Builds.root.appending(path: "Desktop")
        installed = try InstalledAdapter(
            describedIn: desktop.appending(path: "share/handoff/programs/\(Self.program).json"),
            executables: ["", "-open"].map { desktop.appending(path: "libreoffice/handoff-libreoffice\($0)") },
            replacing: "@PREFIX@")
        _ = try RunningProgram.run([
            Builds.root.appending(path: "Scripts/archive").path, desktop.appending(path: "libreoffice/extension").path,
            officeExtension,
        ])
    }

    private var officeExtension: String { installed.root.path + "/libreoffice.oxt" }

    /// A text with a page break before each paragraph.
    private static var text: String {
        let paragraphs = (1...pages).map { "<text:p text:style-name=\"Page\">page \($0)</text:p>" }.joined(
            separator: "\n")
        let version = "office:version=\"1.3\" office:mimetype=\"application/vnd.oasis.opendocument.text\""
        let names = ["office", "style", "text"].map {
            "xmlns:\($0)=\"urn:oasis:names:tc:opendocument:xmlns:\($0):1.0\""
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <office:document \(names.joined(separator: " ")) \
            xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" \(version)>
            <office:automatic-styles><style:style style:name="Page" style:family="paragraph">
            <style:paragraph-properties fo:break-before="page"/></style:style></office:automatic-styles>
            <office:body><office:text>\(paragraphs)</office:text></office:body></office:document>
            """
    }

    private func begin(on stage: Stage) throws -> Pair {
        let service = Builds.root.appending(path: "Desktop/share/dbus-1/services/\(Self.adapter).service")
        return try HomePair.begin(on: stage, screens: true) { device in
            try device.write(Self.text, to: Self.letter)
            if device.name == "laptop" { try device.write(Self.text, to: "Letters/second.fodt") }
            device.environment.merge([
                "XDG_DATA_DIRS": "\(installed.data.path):/usr/share", "NO_AT_BRIDGE": "1", "SAL_USE_VCLPLUGIN": "gen",
            ]) { $1 }
        } services: {
            try $0.install(service, prefix: installed.root.path)
        }
    }

    // Shows M03, M06, M07.
    @Test(.enabled(if: isPossible)) func letterContinuesAtTheSamePage() throws {
        defer { try? FileManager.default.removeItem(at: installed.root) }
        try Stage.play { stage in
            let pair = try begin(on: stage)
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            for device in [laptop, desktop] {
                try device.run(["unopkg", "add", "--suppress-license", officeExtension])
            }
            let on = try laptop.handoff("programs", "on", Self.program)
            #expect(on.contains("It needs the packages python3-uno and python3-gi"))
            let watch = try desktop.watchActivities()
            _ = try laptop.start(
                program: ["soffice", "--norestore", laptop.home.path + "/" + Self.letter], name: "LibreOffice")
            let list = try watch.output.next("the letter", within: .seconds(40)) { $0.contains("brïef #1, 100%?") }
            let offer = try #require(try JSON(text: list).elements.first)
            #expect(offer["app"]?.string == "system:\(Self.program)")

            let pages = try laptop.monitor(Self.states)
            try press("ctrl+End", on: laptop)
            // Handoff saves the state once the cursor rests.
            try pages.output.next("the last page", within: .seconds(20)) { $0.hasSuffix("int64 \(Self.pages)") }
            try desktop.handoff("programs", "on", Self.program)
            let shown = try desktop.monitor(Self.states)
            let activity = try #require(offer["activity"]?.string)
            try desktop.handoff("activity", "continue", activity)
            try shown.output.next("the last page on the desktop", within: .seconds(40)) {
                $0.hasSuffix("int64 \(Self.pages)")
            }

            // LibreOffice runs on the desktop.
            try press("ctrl+Home", on: laptop)
            try pages.output.next("the first page", within: .seconds(20)) { $0.hasSuffix("int64 1") }
            try desktop.handoff("activity", "continue", activity)
            try shown.output.next("the first page on the desktop", within: .seconds(40)) { $0.hasSuffix("int64 1") }

            _ = try laptop.start(
                program: ["soffice", laptop.home.path + "/Letters/second.fodt"], name: "second letter")
            let second = try watch.output.next("the second letter", within: .seconds(40)) {
                $0.contains("second.fodt")
            }
            // The desktop lacks it.
            let back = try laptop.watchActivities()
            let letter = try #require(try JSON(text: second).elements.first?["activity"]?.string)
            try desktop.handoff("activity", "continue", letter)
            try back.output.next("a copy on the desktop", within: .seconds(40)) {
                $0.contains("second (from laptop).fodt")
            }
            try press("ctrl+w", on: laptop, in: "second.fodt")
            // A window manager would give the focus to the first.
            try press("Right", on: laptop)
            try watch.output.next("the first letter again", within: .seconds(20)) {
                $0.contains("brïef") && !$0.contains("second.fodt")
            }
        }
    }

    /// Anybody may create a file in `/tmp`. A foreign LibreOffice could name any document.
    // Shows M03.
    @Test(.enabled(if: isPossible)) func socketOfAnotherUserIsIgnored() throws {
        defer { try? FileManager.default.removeItem(at: installed.root) }
        try Stage.play { stage in
            let socket = "/tmp/OSL_PIPE_65534_handoff"
            unlink(socket)
            defer { unlink(socket) }
            let listener = """
                import os, socket, sys
                listening = socket.socket(socket.AF_UNIX)
                listening.bind(sys.argv[1])
                os.chmod(sys.argv[1], 0o777)
                listening.listen()
                print("ready", flush=True)
                while True:
                    listening.accept()[0].close()
                    print("connected", flush=True)
                """
            let stranger = try stage.start(["/usr/bin/python3", "-c", listener, socket], name: "stranger")
            try stranger.output.next("that it listens") { $0 == "ready" }
            let laptop = try begin(on: stage).laptop
            // The adapter has its name once it has looked for LibreOffice.
            try laptop.handoff("programs", "on", Self.program)
            try laptop.awaitBusName(Self.adapter)
            #expect(!stranger.output.text.contains("connected"))
            try laptop.handoff("programs", "off", Self.program)
            chown(socket, 65534, 65534)
            try laptop.handoff("programs", "on", Self.program)
            try stranger.output.next("a connection to the user's own socket", within: .seconds(20)) {
                $0 == "connected"
            }
        }
    }

    private func press(_ key: String, on device: Device, in window: String = "LibreOffice Writer") throws {
        try device.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", window, "windowfocus", "--sync"])
        try device.run(["xdotool", "key", key])
    }
}
