// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// KDE Connect's daemon on a device, with its own screen, bus, settings and home. It stands for a phone, or for the
/// program on a computer that is connected to one.
package final class KDEConnect {
    private static let name = "org.kde.kdeconnect"
    private static let root = "/modules/kdeconnect"
    /// The package keeps it in a folder that differs by architecture.
    private static let program = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
        .map { "/usr/lib/\($0)/libexec/kdeconnectd" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Why it cannot be used here; nil if it can.
    package static let missing: String? = program == nil ? "there is no kdeconnectd; run: make setup-test" : nil

    private let device: Device
    private let desktop: Desktop
    private var running: RunningProgram?
    private let shownName: String
    /// One line for each page that it opened.
    package let opened: Transcript
    /// The folder in which received files are stored.
    package let downloads: URL

    /// Starts it. `name`: as its peers show it.
    package init(_ name: String, on device: Device, _ desktop: Desktop, of stage: Stage) throws {
        self.device = device
        self.desktop = desktop
        shownName = name
        let settings = URL(filePath: desktop.environment["XDG_CONFIG_HOME"] ?? "").appending(path: "kdeconnect")
        downloads = device.root.appending(path: "home/Downloads")
        let programs = device.root.appending(path: "programs")
        for folder in [settings, downloads, programs] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try Data("[General]\nname=\(name)\n".utf8).write(to: settings.appending(path: "config"))
        // Qt opens pages with the first program of this name.
        let (opener, pages) = (programs.appending(path: "xdg-open"), device.root.appending(path: "pages"))
        try Data("#!/bin/sh\necho \"$1\" >> '\(pages.path)'\n".utf8).write(to: opener)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener.path)
        opened = try stage.follow(pages, name: "pages of \(name)")
        // Discovery uses broadcasts.
        try device.run("ip", "route", "replace", "255.255.255.255/32", "dev", "eth0")
        try start()
    }

    package func start() throws {
        let path = "\(device.root.path)/programs:/usr/bin:/bin"
        running = try device.start(
            program: ["env", "PATH=\(path)", "QT_QPA_PLATFORM=xcb"] + desktop.environment.map { "\($0)=\($1)" }
                + [Self.program ?? ""],
            name: "kdeconnectd")
        try run(["gdbus", "wait", "--session", "--timeout", "20", Self.name])
    }

    package func stop() {
        running?.stop()
        running = nil
    }

    // MARK: Pairing

    /// Both confirm. Returns once both are paired.
    package func pair(with other: KDEConnect) throws {
        // If both announce themselves at the same moment, version 22.12 may keep a link that the other end has closed.
        // Then only a restart helps.
        for _ in 0..<3 {
            if (try? requestPair(with: other)) != nil { return }
            other.stop()
            try other.start()
        }
        try requestPair(with: other)
    }

    private func requestPair(with other: KDEConnect) throws {
        let (here, there) = (try id(of: other), try other.id(of: self))
        let signals = try desktop.listen(to: "\(Self.name).device")
        let requests = try other.desktop.listen(to: "\(Self.name).device")
        try call("devices/\(here)", "device.requestPair")
        try requests.output.next("the request to pair") { $0.contains("member=hasPairingRequestsChanged") }
        try other.call("devices/\(there)", "device.acceptPairing")
        try signals.output.next("both to be paired") { $0.contains("member=trustedChanged") }
    }

    /// The id of the other one, once it is reachable.
    package func id(of other: KDEConnect) throws -> String {
        let deadline = ContinuousClock.now + .seconds(30)
        // Each announcement interrupts a connection that is not complete, which takes long on a busy machine.
        var pause = Duration.seconds(2)
        let signals = try desktop.listen(to: "\(Self.name).daemon")
        while ContinuousClock.now < deadline {
            let known = try call("", "daemon.devices", "true", "false").split(separator: "'")
            // Ids are of letters, digits and underscores: ['_a_']
            for id in known.map(String.init) where id.contains("_") {
                // It may be gone already.
                if let name = try? name(of: id), name.contains(other.shownName) { return id }
            }
            try call("", "daemon.forceOnNetworkChange")
            _ = try? signals.output.next("a device", within: pause) { $0.contains("member=deviceVisibility") }
            pause *= 2
        }
        throw Unmet("\(shownName) does not see \(other.shownName)")
    }

    private func name(of id: String) throws -> String {
        try run([
            "gdbus", "call", "--session", "-d", Self.name, "-o", "\(Self.root)/devices/\(id)", "-m",
            "org.freedesktop.DBus.Properties.Get", "\(Self.name).device", "name",
        ])
    }

    package func setSharing(_ isOn: Bool, with other: KDEConnect) throws {
        try call("devices/\(try id(of: other))", "device.setPluginEnabled", "kdeconnect_share", "\(isOn)")
    }

    /// Monitors what it receives from now on.
    package func receptions() throws -> RunningProgram { try desktop.listen(to: "\(Self.name).device.share") }

    @discardableResult
    private func call(_ object: String, _ method: String, _ arguments: String...) throws -> String {
        let path = object.isEmpty ? Self.root : "\(Self.root)/\(object)"
        let command = ["gdbus", "call", "--session", "-d", Self.name, "-o", path, "-m", "\(Self.name).\(method)"]
        return try run(command + arguments)
    }

    @discardableResult
    private func run(_ command: [String]) throws -> String {
        let ended = try RunningProgram.run(command, environment: desktop.environment, within: .seconds(30))
        guard ended.code == 0 else { throw Unmet("\(command.joined(separator: " ")): \(ended.errors)") }
        return ended.output
    }
}
