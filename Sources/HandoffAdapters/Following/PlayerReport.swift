// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

/// Any program may be a player, so types and ranges are checked.
struct PlayerReport: Hashable {
    /// Nil: nothing that may continue, such as a private window's media.
    private(set) var source: OpenSource?
    private(set) var title = ""
    /// Active: it plays. Open: it is paused.
    private(set) var standing = OfferStateMachine.Standing.closed
    /// An object path, or a string in Rhythmbox.
    private(set) var track: BusValue?
    /// Microseconds. Nil: unknown, as for a stream, whose position means nothing elsewhere.
    private(set) var length: Int64?

    /// From `PropertiesChanged` or `GetAll`.
    mutating func apply(_ properties: [String: BusValue]) {
        if let metadata = properties["Metadata"]?.properties { read(metadata) }
        if let status = properties["PlaybackStatus"]?.text {
            standing =
                switch status {
                case "Playing": .active
                case "Paused": .open
                default: .closed
                }
        }
    }

    private mutating func read(_ metadata: [String: BusValue]) {
        track = metadata["mpris:trackid"].flatMap { $0.text == nil ? nil : $0 }
        // VLC's first length is -1.
        length = metadata["mpris:length"]?.integer.flatMap { $0 > 0 ? $0 : nil }
        source = metadata["xesam:url"]?.text.flatMap(OpenSource.init(url:))
        let title = DisplayText(cleaning: metadata["xesam:title"]?.text ?? "", limit: OpenSource.titleCharacters).text
        self.title = title.isEmpty ? source?.name ?? "" : title
    }

    /// Seconds. mpv is slightly before its beginning at first. A page may be behind its length, which some sites do not
    /// update for the next film.
    func seconds(at position: Int64) -> Double? {
        length == nil ? nil : min(Double(max(0, position)) / 1e6, ProgramState.maximumSeconds)
    }
}
