// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A person's laptop and desktop with an app for papers on both, and a different folder for its container on each.
struct Papers {
    let pair: Pair
    let app: App
    let here: RunningProgram
    let there: RunningProgram
    /// The container's folder, with a `Documents` folder.
    let laptopFolder: URL
    let desktopFolder: URL

    /// `before`: runs with the network, before any program is started.
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

    /// A device's documents in the container, without the sync tool's own files.
    func names(_ folder: URL) throws -> [String] {
        // After an aborted download of a file that exists already, Syncthing keeps its part for a day.
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "Documents").path)
            .filter { !$0.hasPrefix(".syncthing.") }.sorted()
    }

    /// Opens the paper on the laptop, and waits until the desktop lists it.
    func open(_ name: String) throws {
        let title = String(name.prefix { $0 != "." })
        let watch = try pair.desktop.watchActivities()
        try here.say("open \(onLaptop(name).path)")
        try here.output.next(starting: "current \(title)")
        try watch.output.next("\(title) in the list") { $0.contains("\"\(title)\"") }
        watch.stop()
    }

    /// Offers any file on the laptop, and waits until the desktop lists it.
    func name(_ file: URL) throws {
        let watch = try pair.desktop.watchActivities()
        try here.say("name \(file.path)")
        try watch.output.next("\(file.lastPathComponent) in the list") { $0.contains(file.lastPathComponent) }
        watch.stop()
    }

    /// Continues on the desktop, and returns the result for the document.
    func goOn() throws -> JSON {
        let outcome = try pair.desktop.json("activity", "continue")
        guard let document = outcome["documents"]?.elements.first else { throw Unmet("no document came: \(outcome)") }
        return document
    }
}
