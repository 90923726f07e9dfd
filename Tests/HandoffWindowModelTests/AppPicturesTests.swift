// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffIcons
import HandoffWire
import Testing

@testable import HandoffWindowModel

/// Icons of bundles and desktop entries on the disk.
// Shows L10.
@MainActor @Suite(.timeLimit(.minutes(1))) final class AppPicturesTests {
    private let folder = NSTemporaryDirectory() + "handoff-pictures-" + UUID().uuidString
    private let drawing = "<svg xmlns='http://www.w3.org/2000/svg'/>"

    isolated deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ content: Data, to path: String) throws {
        let file = URL(filePath: "\(folder)/\(path)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file)
    }

    private func app(_ name: String, _ path: String) throws -> AppSummary {
        AppSummary(
            bundle: try BundleID("com.example.\(name)"), name: DisplayText(cleaning: name), version: "1", team: nil,
            teamName: nil, isInDevelopment: true, isTrusted: true, activityTypes: [], path: "\(folder)/\(path)",
            isRunning: false)
    }

    // Shows L17.
    @Test func bundlesShowTheirFilesAndEntriesTheirNames() async throws {
        let info = ["CFBundleIdentifier": "com.example.notes", "CFBundleIconFile": "Notes"]
        try write(
            PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0),
            to: "Notes.app/Contents/Info.plist")
        try write(Data(drawing.utf8), to: "Notes.app/Contents/Resources/Notes.svg")
        try write(Data("[Desktop Entry]\nType=Application\nName=Reader\nIcon=reader\n".utf8), to: "reader.desktop")
        let pictures = AppPictures(hop: Seat.hop)
        let apps = [
            try app("notes", "Notes.app"), try app("reader", "reader.desktop"), try app("lost", "Lost.app"),
        ]
        await withCheckedContinuation { read in
            pictures.changed = { read.resume() }
            pictures.installed(apps)
            pictures.installed(apps)
        }
        #expect(pictures[apps[0].bundle] == .bytes(Array(drawing.utf8)))
        #expect(pictures[apps[1].bundle] == .name("reader"))
        #expect(pictures[apps[2].bundle] == nil)
        #expect(pictures.isKnown(apps[2].bundle))
    }
}
