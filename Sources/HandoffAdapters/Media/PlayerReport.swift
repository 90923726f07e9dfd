// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

/// A player's own report. Any program may be a player, so types and ranges are checked.
struct PlayerReport: Hashable {
    /// Characters of a title.
    static let titleCharacters = 200

    /// Nil: nothing that may continue, such as a private window's media.
    private(set) var source: MediaSource?
    private(set) var title = ""
    private(set) var playing = MediaStateMachine.Playing.stopped
    /// An object path, or a string in Rhythmbox.
    private(set) var track: BusValue?
    /// Microseconds. Nil: unknown, as of a stream, whose position means nothing elsewhere.
    private(set) var length: Int64?

    /// Takes what a `PropertiesChanged` or a `GetAll` contains.
    mutating func apply(_ properties: [String: BusValue]) {
        if let metadata = properties["Metadata"]?.properties { read(metadata) }
        if let status = properties["PlaybackStatus"]?.text {
            playing =
                switch status {
                case "Playing": .playing
                case "Paused": .paused
                default: .stopped
                }
        }
    }

    private mutating func read(_ metadata: [String: BusValue]) {
        track = metadata["mpris:trackid"].flatMap { $0.text == nil ? nil : $0 }
        // VLC's first length is -1.
        length = metadata["mpris:length"]?.integer.flatMap { $0 > 0 ? $0 : nil }
        source = metadata["xesam:url"]?.text.flatMap(MediaSource.init(url:))
        let title = DisplayText(cleaning: metadata["xesam:title"]?.text ?? "", limit: Self.titleCharacters).text
        self.title = title.isEmpty ? source?.name ?? "" : title
    }

    /// Seconds. mpv is slightly before its beginning at first.
    func seconds(at position: Int64) -> Double? {
        length.map { Double(min(max(0, position), $0)) / 1e6 }
    }
}

extension MediaSource {
    /// For people: the file's name, or the page's host.
    fileprivate var name: String {
        switch self {
        case .file(let path):
            let last = path.bytes.split(separator: UInt8(ascii: "/")).last ?? []
            return DisplayText(cleaning: String(decoding: last, as: UTF8.self), limit: PlayerReport.titleCharacters)
                .text
        case .page(let url):
            let host = url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            return DisplayText(cleaning: String(host), limit: PlayerReport.titleCharacters).text
        }
    }
}
