// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// The list of the browser extension: in Chromium, light and dark, and in Firefox.
enum ExtensionPictures {
    static func take(on stage: Stage, to folder: URL) throws {
        if let missing = Device.missingBrowser { throw Unmet(missing) }
        let options = ["--listen", "127.0.0.1:0", "--beacons", "false"]
        let here = try Device("home", on: stage)
        try here.startDaemon(options)
        try here.handoff("account", "create")
        try here.install(.monkeyBrowser)
        let watch = try here.watchActivities()
        for kind in ["laptop", "tablet", "desktop"] {
            let device = try Device("my \(kind)", on: stage)
            try device.startDaemon(options + ["--kind", kind])
            let invitation = try here.invite()
            try device.join(invitation.code, at: invitation.address)
            let title = try offer(from: device, kind: kind)
            try watch.output.next("\(title) in the list", within: Screenshots.patience) { $0.contains(title) }
        }
        let server = try WebServer(on: stage)
        for (picture, language, isDark) in [("extension-light", "en-US", false), ("extension-dark", "de", true)] {
            let chromium = try Chromium(on: here, language: language)
            try chromium.go(to: server.page("roasters"))
            let file = folder.appending(path: "\(picture).png")
            try chromium.takePictureOfPopup(showing: "Banana bread", to: file, dark: isDark)
            print(file.relativePath)
            chromium.program.stop()
        }
        let firefox = try Firefox(on: here)
        try firefox.go(to: server.page("roasters"))
        let file = folder.appending(path: "extension-firefox.png")
        try firefox.takePictureOfPopup(showing: "Banana bread", to: file)
        print(file.relativePath)
    }

    private static func offer(from device: Device, kind: String) throws -> String {
        switch kind {
        case "tablet":
            try device.install(.monkeyBrowser)
            let monkey = try device.open(.monkeyBrowser)
            try monkey.output.next(starting: "ready")
            try monkey.say("go https://weather.example/tomorrow")
            return "Weather Tab"
        case "laptop":
            return try page("Coffee roasters of the north", of: "Firefox", at: "https://coffee.example/", from: device)
        default:
            return try page("Banana bread", of: "Chromium", at: "https://bread.example/banana", from: device)
        }
    }

    private static func page(_ title: String, of browser: String, at url: String, from device: Device) throws -> String
    {
        _ = try device.start(
            "activity", "publish", "--type", "NSUserActivityTypeBrowsingWeb", "--title", title, "--web", url, "--name",
            browser)
        return title
    }
}
