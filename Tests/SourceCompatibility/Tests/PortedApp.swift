// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms

/// An app in `Tests/SourceCompatibility/Apps`, with the contents of its `Info.plist`.
struct PortedApp: Sendable {
    let name: String
    var activityTypes: [String] = []
    var program = "PortedApps"
    var more: @Sendable () -> [String: Any] = { [:] }

    var identifier: String { "com.example.\(name.lowercased())" }

    static let reader = PortedApp(name: "Reader", activityTypes: ["com.example.reader.reading"])
    static let notes = PortedApp(name: "Notes", activityTypes: ["com.example.notes.writing"])
    static let mail = PortedApp(name: "Mail", activityTypes: ["com.example.mail.composing"])
    static let almanac = PortedApp(name: "Almanac", activityTypes: ["com.example.almanac.note"]) {
        ["CoreSpotlightContinuation": true]
    }
    static let sketch = PortedApp(name: "Sketch", activityTypes: ["com.example.sketch.drawing"])
    static let streamServer = PortedApp(name: "StreamServer", activityTypes: ["com.example.server.serving"])
    static let monkeyBrowser = PortedApp(
        name: "MonkeyBrowser", activityTypes: (1...4).map { "com.xamarin.monkeybrowser.tab\($0)" })
    /// The sample: not a ported app, but tested in the same way.
    static let photo = PortedApp(
        name: "PhotoHandoff", activityTypes: ["com.example.photohandoff.editing"], program: "PhotoHandoff")
    static let recipes = PortedApp(name: "Recipes", activityTypes: ["com.example.recipes.viewing"]) {
        ["UIApplicationSceneManifest": ["UIApplicationSupportsMultipleScenes": true]]
    }
    static let gallery = PortedApp(name: "Gallery", activityTypes: ["com.example.gallery.photo"]) {
        let scene: [String: Any] = [
            "UISceneConfigurationName": "Default Configuration",
            "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).GallerySceneDelegate",
        ]
        return [
            "UIApplicationSceneManifest": [
                "UIApplicationSupportsMultipleScenes": false,
                "UISceneConfigurations": ["UIWindowSceneSessionRoleApplication": [scene]],
            ]
        ]
    }
    static let cookbook = PortedApp(name: "Cookbook", activityTypes: ["com.example.cookbook.cooking"]) {
        [
            "CFBundleURLTypes": [["CFBundleURLName": "Cookbook", "CFBundleURLSchemes": ["cookbook"]] as [String: Any]],
            "UIApplicationShortcutItems": [
                [
                    "UIApplicationShortcutItemType": "com.example.cookbook.today",
                    "UIApplicationShortcutItemTitle": "Today",
                    "UIApplicationShortcutItemUserInfo": ["recipe": "soup"],
                ] as [String: Any]
            ],
        ]
    }
    static let planner = PortedApp(name: "Planner", activityTypes: ["com.example.planner.day"]) {
        [
            "UIApplicationShortcutItems": [
                [
                    "UIApplicationShortcutItemType": "com.example.planner.today",
                    "UIApplicationShortcutItemTitle": "Today",
                ] as [String: Any]
            ]
        ]
    }
    static let essay = PortedApp(name: "Essay")
    static let runs = PortedApp(name: "Runs", activityTypes: ["com.example.runs.running"])
    static let journal = PortedApp(name: "Journal")
    static let magazine = PortedApp(name: "Magazine", activityTypes: ["com.example.magazine.reading"])
    static let atlas = PortedApp(name: "Atlas", activityTypes: ["com.example.atlas.place"]) {
        let scene: [String: Any] = [
            "UISceneConfigurationName": "Default Configuration",
            "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).AtlasSceneDelegate",
        ]
        return [
            "UIApplicationSceneManifest": [
                "UIApplicationSupportsMultipleScenes": true,
                "UISceneConfigurations": ["UIWindowSceneSessionRoleApplication": [scene]],
            ]
        ]
    }
    /// Its documents alone declare its activity type.
    static let letters = PortedApp(name: "Letters", program: "PortedLetters") {
        [
            "CFBundleDocumentTypes": [
                [
                    "CFBundleTypeName": "Letter", "CFBundleTypeExtensions": ["letter"],
                    "NSDocumentClass": "$(PRODUCT_MODULE_NAME).Letter",
                    "NSUbiquitousDocumentUserActivityType": "com.example.letters.editing",
                ] as [String: Any]
            ]
        ]
    }

    /// Creates the bundle in that folder. Returns its path.
    func make(in folder: URL) throws -> String {
        let bundle = folder.appending(path: "\(name).app")
        let contents = bundle.appending(path: "Contents")
        let programs = contents.appending(path: "Linux")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        var info = more()
        info["CFBundleIdentifier"] = identifier
        info["CFBundleName"] = name
        info["CFBundleExecutable"] = name
        info["NSUserActivityTypes"] = activityTypes
        try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
            .write(to: contents.appending(path: "Info.plist"))
        try FileManager.default.copyItem(
            at: URL(filePath: Program.built + "/\(program)"), to: programs.appending(path: name))
        return bundle.path
    }
}
