// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// A person's two devices, each with a session bus, `handoff-bus`, and the same music in the home folder. VLC refuses to run
/// as root, so that person is another user.
struct Players {
    enum Kind: String, CaseIterable, Sendable {
        case mpv
        case vlc

        /// In `/usr/bin`.
        var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/\(rawValue)") }
    }

    static let music = "Music/töne #1, 100%?\n.wav"
    /// Seconds.
    static let length = 120

    let pair: Pair
    private let kind: Kind
    private let stage: Stage
    /// Nobody: the bus needs an entry in the user database.
    private static let user: UInt32 = 65534

    init(_ kind: Kind, on stage: Stage) throws {
        self.kind = kind
        self.stage = stage
        pair = try Pair(offOn: stage, user: Self.user)
        for device in [pair.laptop, pair.desktop] { try prepare(device) }
        try pair.begin(with: [])
        for device in [pair.laptop, pair.desktop] {
            _ = try device.startBus()
            try wait(on: device, for: "org.handoff.Handoff1")
        }
    }

    private func prepare(_ device: Device) throws {
        let home = device.home
        let settings = home.appending(path: ".config")
        let folders = [settings.appending(path: "mpv"), settings.appending(path: "vlc")]
        for folder in folders + [home.appending(path: "Music"), home.appending(path: "run")] {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        // This machine has neither loudspeakers nor a screen.
        try Data("ao=null\nvo=null\n".utf8).write(to: settings.appending(path: "mpv/mpv.conf"))
        try Data("[core]\nintf=dummy\naout=dummy\nvout=dummy\n".utf8).write(to: settings.appending(path: "vlc/vlcrc"))
        try Self.tone().write(to: device.music)
        _ = try RunningProgram.run(["chown", "-R", "\(Self.user):\(Self.user)", home.path])
        device.environment.merge([
            "HOME": home.path, "XDG_CONFIG_HOME": home.path + "/.config", "XDG_DATA_HOME": home.path + "/.local/share",
            "XDG_RUNTIME_DIR": home.path + "/run",
        ]) { $1 }
        let bus = try SessionBus(on: stage, in: device.root, environment: device.environment, prefix: device.prefix)
        device.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        try bus.start("org.handoff.Adapters", by: [Builds.adapters])
    }

    /// Silence, as 8-bit PCM.
    private static func tone() -> Data {
        let rate = 8000
        let samples = rate * length
        func number(_ value: Int, bytes: Int) -> Data { Data((0..<bytes).map { UInt8(value >> ($0 * 8) & 0xff) }) }
        var file = Data("RIFF".utf8) + number(36 + samples, bytes: 4) + Data("WAVEfmt ".utf8) + number(16, bytes: 4)
        file += number(1, bytes: 2) + number(1, bytes: 2) + number(rate, bytes: 4) + number(rate, bytes: 4)
        file += number(1, bytes: 2) + number(8, bytes: 2) + Data("data".utf8) + number(samples, bytes: 4)
        return file + Data(repeating: 0x80, count: samples)
    }

    // MARK: Programs

    /// Waits until the device's bus has the name.
    func wait(on device: Device, for name: String) throws {
        try device.run(["gdbus", "wait", "--session", "--timeout", "20", name])
    }

    /// Plays the music.
    func play(on device: Device) throws -> RunningProgram {
        let program = try device.start(program: [kind.rawValue, device.music.path], name: kind.rawValue)
        try wait(on: device, for: name)
        return program
    }

    /// The changes that players report from now on.
    func listen(on device: Device) throws -> RunningProgram {
        let listener = try device.start(
            program: ["dbus-monitor", "--session", "type='signal',path='/org/mpris/MediaPlayer2'"], name: "listener")
        // The bus confirms the monitor with this signal.
        try listener.output.next("the bus") { $0.contains("NameLost") || $0.contains("NameAcquired") }
        return listener
    }

    /// One of the player's properties, as `gdbus` shows it.
    func property(_ name: String, on device: Device) throws -> String {
        try call(
            device, "org.freedesktop.DBus.Properties.Get", "org.mpris.MediaPlayer2.Player", name)
    }

    /// Seconds.
    func position(on device: Device) throws -> Double {
        let shown = try property("Position", on: device)
        guard let digits = shown.firstMatch(of: /int64 (-?\d+)/)?.1, let position = Double(digits) else {
            throw Unmet("the position is \(shown)")
        }
        return position / 1e6
    }

    @discardableResult
    func call(_ device: Device, _ method: String, _ arguments: String...) throws -> String {
        let command = [
            "gdbus", "call", "--session", "--dest", name, "--object-path", "/org/mpris/MediaPlayer2", "--method",
            method,
        ]
        return try device.output(of: command + arguments).joined(separator: "\n")
    }

    private var name: String { "org.mpris.MediaPlayer2.\(kind)" }
}

extension Device {
    var home: URL { root.appending(path: "home") }
    var music: URL { home.appending(path: Players.music) }
}
