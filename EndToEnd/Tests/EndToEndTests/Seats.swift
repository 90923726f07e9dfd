// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// A person's two devices with a screen each, without an account.
struct Seats {
    let pair: Pair
    let laptop: Desktop
    let desktop: Desktop

    /// `prepare`: runs before any program is started.
    init(on stage: Stage, _ prepare: (Pair) throws -> Void = { _ in }) throws {
        pair = try Pair(offOn: stage)
        try prepare(pair)
        laptop = try pair.laptop.startDesktop()
        desktop = try pair.desktop.startDesktop()
        for device in [pair.laptop, pair.desktop] { try device.startDaemon() }
    }

    /// On the laptop, with the recovery key confirmed.
    func createAccount(in window: HandoffWindow) throws {
        try window.press("This Is My First Device")
        let key = try window.read("^([A-Z2-7]{5}-?){8}$")
        try laptop.type(String(key.suffix(5)))
        try laptop.press("Return")
    }

    /// A script offers a page, by default from the laptop.
    func offer(_ title: String, from device: Device? = nil, page: String) throws -> RunningProgram {
        try (device ?? pair.laptop).start(
            "activity", "publish", "--type", "com.example.reading", "--title", title, "--name", "Reader", "--web", page)
    }
}

extension Device {
    var configurationFile: URL { root.appending(path: "config/config.json") }

    /// An app that only reports the token with which it was started.
    func addReader() throws {
        let data = root.appending(path: "data")
        let entries = data.appending(path: "applications")
        try FileManager.default.createDirectory(at: entries, withIntermediateDirectories: true)
        let program = data.appending(path: "reader")
        try Data("#!/bin/sh\necho \"token $XDG_ACTIVATION_TOKEN\"\nexec sleep 60\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let entry = """
            [Desktop Entry]
            Type=Application
            Name=Reader
            X-Handoff-ActivityTypes=com.example.reading;
            Exec="\(program.path)"

            """
        try Data(entry.utf8).write(to: entries.appending(path: "com.example.reader.desktop"))
        environment["XDG_DATA_HOME"] = data.path
        environment["XDG_DATA_DIRS"] = root.appending(path: "system").path
    }
}
