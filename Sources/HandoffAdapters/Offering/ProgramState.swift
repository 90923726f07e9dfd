// SPDX-License-Identifier: Apache-2.0

import HandoffWire

/// The state of every system program's activity: what is open, and at which place. docs/adapters.md lists the keys.
struct ProgramState: Hashable, Sendable {
    enum Source: Hashable, Sendable {
        /// As `MediaSource.page`.
        case page(String)
        /// In the user's home folder, with its size.
        case homeFile(DocumentPath, bytes: Int64)
    }

    /// The largest position; players use microseconds in 64 bits.
    static let maximumSeconds = 1e9

    var source: Source
    /// In a film or in music.
    var seconds: Double?
    var isPlaying = false

    init(source: Source, seconds: Double? = nil, isPlaying: Bool = false) {
        self.source = source
        self.seconds = seconds
        self.isPlaying = isPlaying
    }
}
