// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A built app bundle.
package struct App: Sendable {
    package let bundle: String
    package let executable: String
    package let path: String
    /// The Team ID in its entitlements.
    package let team: String
    /// The only container in its entitlements.
    package var container: String?

    package static let monkeyBrowser = App(
        bundle: "com.xamarin.monkeybrowser", executable: "MonkeyBrowser", path: Builds.monkeyBrowser,
        team: "MONKEY2014")

    /// The same app with windows.
    package static let monkeyBrowserWindow = App(
        bundle: monkeyBrowser.bundle, executable: monkeyBrowser.executable, path: Builds.monkeyBrowserWindow,
        team: monkeyBrowser.team)

    package static let textEditor = App(
        bundle: "com.example.texteditor", executable: "TextEditor", path: Builds.textEditor, team: "TEXTEDIT01",
        container: "iCloud.com.example.texteditor")

    /// The app for both ends of a stream: `Tests/SourceCompatibility/Apps/Exchange.swift`. Its bundle is created in
    /// `folder`.
    package static func exchange(
        in folder: URL, types: [String] = ["com.example.exchange.talking"], team: String = "EXCHANGE26"
    ) throws -> App {
        let app = App(
            bundle: "com.example.exchange", executable: "Exchange",
            path: folder.appending(path: "Exchange.app").path, team: team)
        try app.make(of: "PortedApps", for: types)
        return app
    }

    /// An index of notes: `Tests/SourceCompatibility/Apps/Almanac.swift`. Its bundle is created in `folder`.
    package static func almanac(in folder: URL) throws -> App {
        let app = App(
            bundle: "com.example.almanac", executable: "Almanac", path: folder.appending(path: "Almanac.app").path,
            team: "ALMANAC001")
        try app.make(
            of: "PortedApps", for: ["com.example.almanac.note"], info: ["CoreSpotlightContinuation": true])
        return app
    }

    /// The app that the article on GTK builds: `Tests/SourceCompatibility/GTKSnippets/Jotter.swift`. Its bundle is
    /// created in `folder`.
    package static func jotter(in folder: URL) throws -> App {
        let app = App(
            bundle: "com.example.jotter", executable: "Jotter", path: folder.appending(path: "Jotter.app").path,
            team: "JOTTERTEAM")
        try app.make(of: "GTKSnippets", for: ["com.example.jotter.writing"])
        return app
    }

    /// An app with documents, inside a container and outside: `Tests/SourceCompatibility/Apps/Paperwork.swift`. Its
    /// bundle is created in `folder`. `fetchesItself`: it receives an activity before the documents arrive.
    package static func paperwork(in folder: URL, fetchesItself: Bool = false) throws -> App {
        let app = App(
            bundle: "com.example.paperwork", executable: "Paperwork",
            path: folder.appending(path: "Paperwork.app").path, team: "PAPERWORK1",
            container: "iCloud.com.example.paperwork")
        let paper: [String: Any] = [
            "CFBundleTypeName": "Paper", "CFBundleTypeExtensions": ["txt"],
            "NSUbiquitousDocumentUserActivityType": "com.example.paperwork.paper",
        ]
        let binder: [String: Any] = [
            "CFBundleTypeName": "Binder", "CFBundleTypeExtensions": ["binder"], "LSTypeIsPackage": true,
        ]
        try app.make(
            of: "PortedApps", for: ["com.example.paperwork.naming"],
            info: ["CFBundleDocumentTypes": [paper, binder], "NSDownloadsUbiquitousContents": fetchesItself])
        return app
    }

    /// MonkeyBrowser of the same build as these programs.
    package static func monkeyBrowser(beside programs: URL) -> App {
        App(
            bundle: monkeyBrowser.bundle, executable: monkeyBrowser.executable,
            path: programs.appending(path: "../MonkeyBrowser.app").standardized.path, team: monkeyBrowser.team)
    }

    /// Makes its bundle from a built program. `info`: more keys of its Info.plist.
    private func make(of program: String, for activityTypes: [String], info more: [String: Any] = [:]) throws {
        let contents = URL(filePath: path).appending(path: "Contents")
        let programs = contents.appending(path: "Linux")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Builds.programs.appending(path: program), to: programs.appending(path: executable))
        let info: [String: Any] = [
            "CFBundleIdentifier": bundle, "CFBundleName": executable, "CFBundleExecutable": executable,
            "NSUserActivityTypes": activityTypes,
        ].merging(more) { $1 }
        var entitlements: [String: Any] = ["com.apple.developer.team-identifier": team]
        entitlements["com.apple.developer.ubiquity-container-identifiers"] = container.map { [$0] }
        for (name, list) in [("Info.plist", info), ("Entitlements.plist", entitlements)] {
            try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
                .write(to: contents.appending(path: name))
        }
    }

    /// The tabs of MonkeyBrowser; each has its own activity type.
    private static let tabs = 1...4

    /// The same program as another app, with its own identifier. By default it has the same types and team.
    package func copied(
        as identifier: String, tabs: Set<Int> = Set(tabs), team: String? = nil, to folder: URL
    ) throws -> App {
        let copy = folder.appending(path: "\(identifier).app")
        try FileManager.default.copyItem(at: URL(filePath: path), to: copy)
        try Self.edit(copy.appending(path: "Contents/Info.plist")) { text in
            text.replace("<string>\(bundle)</string>", with: "<string>\(identifier)</string>")
            for tab in Self.tabs where !tabs.contains(tab) {
                text.replace("<string>\(bundle).tab\(tab)</string>", with: "")
            }
        }
        try Self.edit(copy.appending(path: "Contents/Entitlements.plist")) {
            $0.replace(self.team, with: team ?? self.team)
        }
        return App(bundle: identifier, executable: executable, path: copy.path, team: team ?? self.team)
    }

    /// A copy whose entitlements claim these sites, to continue their pages once it is signed. `mode`: the value of
    /// `?mode=`.
    package func claiming(_ hosts: [String], mode: String? = nil, in folder: URL) throws -> App {
        let copy = folder.appending(path: "claiming-\(hosts.count)/\(bundle).app")
        try FileManager.default.createDirectory(
            at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: URL(filePath: path), to: copy)
        let file = copy.appending(path: "Contents/Entitlements.plist")
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        guard var entitlements = list as? [String: Any] else { throw Unmet("\(file.path) is no dictionary") }
        let suffix = mode.map { "?mode=\($0)" } ?? ""
        entitlements["com.apple.developer.associated-domains"] = hosts.map { "activitycontinuation:\($0)\(suffix)" }
        try PropertyListSerialization.data(fromPropertyList: entitlements, format: .xml, options: 0).write(to: file)
        return App(bundle: bundle, executable: executable, path: copy.path, team: team)
    }

    /// The app's name in a site's file.
    package var identifier: String { "\(team).\(bundle)" }

    private static func edit(_ file: URL, _ change: (inout String) -> Void) throws {
        var text = try String(contentsOf: file, encoding: .utf8)
        change(&text)
        try Data(text.utf8).write(to: file)
    }
}
