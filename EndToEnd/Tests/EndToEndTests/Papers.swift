// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A person's laptop and desktop with an app for papers open on both, which each have its container in a place of their own.
struct Papers {
    let pair: Pair
    let app: App
    let here: RunningProgram
    let there: RunningProgram
    /// The container's, with a `Documents` each.
    let laptopFolder: URL
    let desktopFolder: URL

    /// `before`: once the network is there, and nothing runs yet.
    init(on stage: Stage, fetchesItself: Bool = false, before: (Pair, URL) throws -> Void = { _, _ in }) throws {
        pair = try Pair(offOn: stage)
        app = try App.paperwork(in: stage.folder, fetchesItself: fetchesItself)
        laptopFolder = stage.folder.appending(path: "papers of the laptop")
        desktopFolder = stage.folder.appending(path: "desk")
        try before(pair, desktopFolder)
        try pair.begin(with: [app])
        let container = try #require(app.container)
        for (device, folder) in [(pair.laptop, laptopFolder), (pair.desktop, desktopFolder)] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: "Documents"), withIntermediateDirectories: true)
            try device.handoff("folder", "map", container, folder.path)
        }
        here = try pair.laptop.open(app)
        there = try pair.desktop.open(app)
        for program in [here, there] { try program.output.next(starting: "ready") }
    }

    func onLaptop(_ name: String) -> URL { laptopFolder.appending(path: "Documents/\(name)") }
    func onDesktop(_ name: String) -> URL { desktopFolder.appending(path: "Documents/\(name)") }

    func write(_ text: String, to file: URL) throws { try Data(text.utf8).write(to: file) }
    func text(_ file: URL) -> String? { (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } }

    /// What a device has in its container, but for what a sync tool keeps there for itself.
    func names(_ folder: URL) throws -> [String] {
        // Of a download that it gave up when the file was there already, Syncthing keeps what it has for a day.
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "Documents").path)
            .filter { !$0.hasPrefix(".syncthing.") }.sorted()
    }

    /// The paper is open on the laptop, and the desktop lists it.
    func open(_ name: String) throws {
        let title = String(name.prefix { $0 != "." })
        let watch = try pair.desktop.watchActivities()
        try here.say("open \(onLaptop(name).path)")
        try here.output.next(starting: "current \(title)")
        try watch.output.next("\(title) in the list") { $0.contains("\"\(title)\"") }
        watch.stop()
    }

    /// Any file is named on the laptop, and the desktop lists it.
    func name(_ file: URL) throws {
        let watch = try pair.desktop.watchActivities()
        try here.say("name \(file.path)")
        try watch.output.next("\(file.lastPathComponent) in the list") { $0.contains(file.lastPathComponent) }
        watch.stop()
    }

    /// The desktop goes on; what became of the document.
    func goOn() throws -> JSON {
        let outcome = try pair.desktop.json("activity", "continue")
        guard let document = outcome["documents"]?.elements.first else { throw Unmet("no document came: \(outcome)") }
        return document
    }
}
