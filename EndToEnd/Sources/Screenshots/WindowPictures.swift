// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// The window of Handoff on a desktop: before there is anything to continue, then with an app of a laptop and pages of a
/// tablet, light, dark, and at the width of a phone.
enum WindowPictures {
    private static let size = (width: 640, height: 600)
    private static let phone = (width: 360, height: 640)

    static func take(on stage: Stage, to folder: URL) throws {
        let network = try Network(on: stage)
        let laptop = try Device("laptop", on: stage, network: network)
        let tablet = try Device("tablet", on: stage, network: network)
        let looks: [(name: String, isDark: Bool, size: (width: Int, height: Int))] = [
            ("light", false, size), ("dark", true, size), ("narrow", false, phone),
        ]
        let others = try looks.map { try Device("desktop-\($0.name)", on: stage, network: network) }
        let laptopScreen = try laptop.startDesktop()
        try laptop.startDaemon(["--kind", "laptop"])
        for device in others { try device.startDaemon(["--kind", "desktop"]) }
        try tablet.startDaemon(["--kind", "tablet"])
        try laptop.found(with: [tablet] + others)
        for device in [laptop] + others { try device.install(.textEditor) }
        try takeEmpty(others[0], on: stage, to: folder)
        let file = stage.folder.appending(path: "Letter to Anna")
        try Data("Dear Anna,\n".utf8).write(to: file)
        _ = try laptop.open(.textEditor, file.path)
        try laptopScreen.turn(to: "Letter")
        try Screenshots.publish([("Boats that float", "Firefox", "boats"), Screenshots.roasters], on: tablet)
        for (look, device) in zip(looks, others) {
            let screen = try device.startDesktop(isDark: look.isDark)
            let window = try HandoffWindow(
                of: device, at: screen, look.isDark ? ["ADW_DEBUG_COLOR_SCHEME": "prefer-dark"] : [:])
            try window.see("Continue “Coffee roasters near you”")
            try window.see("Continue “Letter to Anna”")
            try window.fit(width: look.size.width, height: look.size.height)
            try Screenshots.save(screen, "window-\(look.name)", size: look.size, in: folder)
            guard look.name == "light" else { continue }
            try screen.press("ctrl+2")
            try window.see("laptop, Laptop · connected")
            try Screenshots.save(screen, "window-devices", size: look.size, in: folder)
            try screen.press("ctrl+3")
            try window.see("Icon in the tray")
            try Screenshots.save(screen, "window-settings", size: look.size, in: folder)
        }
    }

    private static func takeEmpty(_ device: Device, on stage: Stage, to folder: URL) throws {
        let screen = try device.startDesktop()
        let home = stage.folder.appending(path: "home").path
        let window = try HandoffWindow(of: device, at: screen, ["HOME": home])
        try window.see("Set Up Firefox")
        try window.see("Text Editor")
        try window.fit(width: size.width, height: size.height)
        try Screenshots.save(screen, "window-empty", size: size, in: folder)
        window.close()
    }
}
