// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// A person's two devices, each with the same music in the home folder.
struct Players {
    enum Kind: String, CaseIterable, Sendable {
        case mpv
        case vlc

        var isInstalled: Bool { HomePair.isInstalled(rawValue) }
    }

    static let music = "Music/töne #1, 100%?\n.wav"
    /// Seconds.
    static let length = 120

    let pair: Pair
    private let kind: Kind

    init(_ kind: Kind, on stage: Stage) throws {
        self.kind = kind
        pair = try HomePair.begin(on: stage) { device in
            // This machine has neither loudspeakers nor a screen.
            try device.write("ao=null\nvo=null\n", to: ".config/mpv/mpv.conf")
            try device.write("[core]\nintf=dummy\naout=dummy\nvout=dummy\n", to: ".config/vlc/vlcrc")
            try device.write(Self.tone(), to: Self.music)
        }
    }

    /// Silence, as 8-bit PCM.
    static func tone() -> Data {
        let rate = 8000
        let samples = rate * length
        func number(_ value: Int, bytes: Int) -> Data { Data((0..<bytes).map { UInt8(value >> ($0 * 8) & 0xff) }) }
        var file = Data("RIFF".utf8) + number(36 + samples, bytes: 4) + Data("WAVEfmt ".utf8) + number(16, bytes: 4)
        file += number(1, bytes: 2) + number(1, bytes: 2) + number(rate, bytes: 4) + number(rate, bytes: 4)
        file += number(1, bytes: 2) + number(8, bytes: 2) + Data("data".utf8) + number(samples, bytes: 4)
        return file + Data(repeating: 0x80, count: samples)
    }

    // MARK: Programs

    /// Plays the music.
    func play(on device: Device) throws -> RunningProgram {
        let program = try device.start(program: [kind.rawValue, device.music.path], name: kind.rawValue)
        try device.awaitBusName(name)
        return program
    }

    /// One of the player's properties, as `gdbus` shows it.
    func property(_ name: String, on device: Device) throws -> String { try device.player(name, of: self.name) }

    /// Seconds.
    func position(on device: Device) throws -> Double { try device.position(of: name) }

    @discardableResult
    func call(_ device: Device, _ method: String, _ arguments: String...) throws -> String {
        try device.call(name, "/org/mpris/MediaPlayer2", method, arguments)
    }

    private var name: String { "org.mpris.MediaPlayer2.\(kind)" }
}

extension Device {
    var music: URL { home.appending(path: Players.music) }

    /// A property of the player with this bus name, as `gdbus` shows it.
    func player(_ property: String, of name: String) throws -> String {
        try self.property(property, of: "org.mpris.MediaPlayer2.Player", name, "/org/mpris/MediaPlayer2")
    }

    /// Seconds.
    func position(of player: String) throws -> Double {
        let shown = try self.player("Position", of: player)
        guard let digits = shown.firstMatch(of: /int64 (-?\d+)/)?.1, let position = Double(digits) else {
            throw Unmet("the position is \(shown)")
        }
        return position / 1e6
    }
}
