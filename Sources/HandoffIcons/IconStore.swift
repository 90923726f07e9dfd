// SPDX-License-Identifier: Apache-2.0

package struct IconStore: Sendable {
    /// Drawn icons in memory, and in one call of the drawer.
    package static let count = 64
    /// Afterwards an icon is drawn again, because the theme may be another one; the earlier icon remains until then.
    package static let lifetime = Duration.seconds(3600)
    /// After nothing could be drawn, for example without a display.
    package static let pause = Duration.seconds(60)

    private struct Entry {
        /// Nil: cannot be drawn.
        var icon: DrawnIcon?
        var due: ContinuousClock.Instant
    }

    private var wanted: [IconDrawing] = []
    private var entries: [IconDrawing: Entry] = [:]
    private var isDrawing = false
    private var resumed: ContinuousClock.Instant?

    package init() {}

    package subscript(_ drawing: IconDrawing) -> DrawnIcon? { entries[drawing]?.icon }

    /// In the order of drawing. Replaces earlier requests.
    package mutating func want(_ drawings: [IconDrawing]) {
        var known: Set<IconDrawing> = []
        wanted = Array(drawings.filter { known.insert($0).inserted }.prefix(Self.count))
    }

    /// The icons to draw now; `ended` must follow. Nil if none is missing, or while some are being drawn.
    package mutating func begin(at now: ContinuousClock.Instant) -> [IconDrawing]? {
        if isDrawing { return nil }
        if let resumed, now < resumed { return nil }
        let due = wanted.filter { drawing in entries[drawing].map { $0.due <= now } ?? true }
        isDrawing = !due.isEmpty
        return due.isEmpty ? nil : due
    }

    /// True if icons changed. Nil: nothing can be drawn now.
    package mutating func ended(_ results: [IconDrawing: DrawnIcon?]?, at now: ContinuousClock.Instant) -> Bool {
        isDrawing = false
        resumed = results == nil ? now + Self.pause : nil
        var hasChanged = false
        for (drawing, icon) in results ?? [:] {
            hasChanged = hasChanged || entries[drawing]?.icon != icon
            entries[drawing] = Entry(icon: icon, due: now + Self.lifetime)
        }
        if entries.count > Self.count {
            let kept = Set(wanted)
            entries = entries.filter { kept.contains($0.key) }
        }
        return hasChanged
    }
}
