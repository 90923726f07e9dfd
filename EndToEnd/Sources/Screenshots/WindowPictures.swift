// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// The window of Handoff on the desktop with the laptop's activities: light, dark, and at the width of a phone.
enum WindowPictures {
    private static let size = (width: 640, height: 600)
    private static let phone = (width: 360, height: 640)

    static func take(on stage: Stage, to folder: URL) throws {
        let network = try Network(on: stage)
        let laptop = try Device("laptop", on: stage, network: network)
        let looks: [(name: String, isDark: Bool, size: (width: Int, height: Int))] = [
            ("light", false, size), ("dark", true, size), ("narrow", false, phone),
        ]
        let others = try looks.map { try Device("desktop-\($0.name)", on: stage, network: network) }
        for device in [laptop] + others { try device.startDaemon() }
        try laptop.found(with: others)
        try Screenshots.publishActivities(on: laptop)
        for (look, device) in zip(looks, others) {
            let screen = try device.startDesktop(isDark: look.isDark)
            let window = try HandoffWindow(
                of: device, at: screen, look.isDark ? ["ADW_DEBUG_COLOR_SCHEME": "prefer-dark"] : [:])
            try window.see("Continue “Coffee roasters near you”")
            try window.fit(width: look.size.width, height: look.size.height)
            try Screenshots.save(screen, "window-\(look.name)", size: look.size, in: folder)
            guard look.name == "light" else { continue }
            try screen.press("ctrl+2")
            try window.see("laptop, Connected")
            try Screenshots.save(screen, "window-devices", size: look.size, in: folder)
            try screen.press("ctrl+3")
            try window.see("Icon in the tray")
            try Screenshots.save(screen, "window-settings", size: look.size, in: folder)
        }
    }
}
