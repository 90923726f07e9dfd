// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// The main use case on two devices with a screen each. Takes pictures of it into the named folder: all, or some
/// groups.
@main struct Screenshots {
    static let patience = Duration.seconds(40)
    /// The pages' background, at points without content: below the picture, and above once the picture is scrolled
    /// away.
    static let paper = (
        light: "#FDF8F1", dark: "#211B16", shaded: "#100D0B", below: (x: 30, y: 600), scrolled: (x: 30, y: 150)
    )

    static func main() {
        let parts = ["browser", "editor", "extension", "shell", "window"]
        let wanted = Array(CommandLine.arguments.dropFirst(2))
        guard CommandLine.arguments.count > 1, wanted.allSatisfy(parts.contains) else {
            let usage = "usage: demo-screenshots FOLDER [\(parts.joined(separator: "] ["))]\n"
            FileHandle.standardError.write(Data(usage.utf8))
            exit(64)
        }
        let folder = URL(filePath: CommandLine.arguments[1])
        Stage.playAsProgram(orSay: "No pictures could be taken") { stage in
            if let missing = Network.missing { throw Unmet(missing) }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for part in wanted.isEmpty ? parts : wanted {
                switch part {
                case "browser": try play(on: stage, picturesTo: folder)
                case "editor": try EditorPictures.take(on: stage, to: folder)
                case "shell": try ShellPicture.take(on: stage, to: folder)
                case "window": try WindowPictures.take(on: stage, to: folder)
                default: try ExtensionPictures.take(on: stage, to: folder)
                }
            }
        }
    }

    /// Three web pages of as many apps.
    static func publishActivities(on device: Device) throws {
        try publish(
            [("Letter to Anna", "Text Editor", "letters"), ("Boats that float", "Photos", "boats"), roasters],
            on: device)
    }

    static let roasters = (title: "Coffee roasters near you", app: "MonkeyBrowser", page: "roasters")

    static func publish(_ pages: [(title: String, app: String, page: String)], on device: Device) throws {
        for (title, name, page) in pages {
            _ = try device.start(
                "activity", "publish", "--type", "com.example.\(page)", "--title", title, "--name", name, "--web",
                "https://\(page).example/")
        }
    }

    static func play(on stage: Stage, picturesTo folder: URL) throws {
        let network = try Network(on: stage)
        let laptop = try Device("laptop", on: stage, network: network)
        let desktop = try Device("desktop", on: stage, network: network)
        let web = try Device("web", on: stage, network: network)
        let screens = (laptop: try laptop.startDesktop(), desktop: try desktop.startDesktop(isDark: true))
        let server = try WebServer(on: web, of: network, named: "coffee.example")
        for device in [laptop, desktop] { try device.startDaemon() }
        try laptop.found(with: [desktop])
        for device in [laptop, desktop] { try device.install(.monkeyBrowserWindow) }

        let watch = try desktop.watchActivities()
        let browser = try laptop.open(.monkeyBrowserWindow)
        try browser.output.next(starting: "ready", within: patience)
        try screens.laptop.turn(to: "MonkeyBrowser")
        try screens.laptop.press("ctrl+3", "ctrl+l")
        try screens.laptop.type(server.page("roasters"))
        try screens.laptop.press("Return")
        try browser.output.next(starting: "loaded tab=3", within: patience)
        try browser.say("scroll 330")
        try browser.output.next(starting: "page tab=3")
        try watch.output.next("the page in the list") { $0.contains("Coffee roasters") }
        try screens.laptop.wait(for: paper.light, at: paper.scrolled)
        try save(screens.laptop, "monkeybrowser-laptop", in: folder)

        // Meanwhile the desktop's user has another page in that tab.
        let other = try desktop.open(.monkeyBrowserWindow)
        try other.output.next(starting: "ready", within: patience)
        try screens.desktop.turn(to: "MonkeyBrowser")
        for line in ["tab 3", "go \(server.page("bread"))"] { try other.say(line) }
        try other.output.next(starting: "loaded tab=3", within: patience)
        try screens.desktop.wait(for: paper.dark, at: paper.below)
        // The page stays in transfer while the laptop's app does not answer.
        browser.send(SIGSTOP)
        let command = try desktop.start("activity", "continue")
        try other.output.next(starting: "continuing tab=3")
        try screens.desktop.wait(for: paper.shaded, at: paper.below)
        try save(screens.desktop, "monkeybrowser-continuing", in: folder)
        browser.send(SIGCONT)
        try command.waitForExit(within: patience)
        try other.output.next(starting: "loaded tab=3", within: patience)
        try screens.desktop.wait(for: paper.dark, at: paper.scrolled)
        try save(screens.desktop, "monkeybrowser-desktop", in: folder)
    }

    static func save(
        _ screen: Desktop, _ name: String, size: (width: Int, height: Int) = Desktop.size, in folder: URL
    ) throws {
        let file = folder.appending(path: "\(name).png")
        try screen.takePicture(to: file, size: size)
        print(file.relativePath)
    }
}
