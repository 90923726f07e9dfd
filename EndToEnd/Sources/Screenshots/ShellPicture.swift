// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// GNOME's quick settings on the desktop with the laptop's activities.
enum ShellPicture {
    private static let size = (width: 420, height: 490)

    static func take(on stage: Stage, to folder: URL) throws {
        let network = try Network(on: stage)
        let laptop = try Device("laptop", on: stage, network: network)
        let desktop = try Device("desktop", on: stage, network: network)
        let shell = try GnomeShell(of: desktop)
        try laptop.startDaemon(["--kind", "laptop"])
        try desktop.startDaemon()
        try laptop.found(with: [desktop])
        _ = try desktop.startBus()
        try shell.enable()
        try Screenshots.publishActivities(on: laptop)
        try shell.see("all") { $0.summary == "3 activities on other devices" }
        try shell.openQuickSettings()
        try shell.press("Handoff")
        try shell.see("the menu") { $0.rows.count == 4 }
        let file = folder.appending(path: "quick-settings.png").absoluteURL
        try shell.takePicture(to: file, size: size)
        print(file.relativePath)
    }
}
