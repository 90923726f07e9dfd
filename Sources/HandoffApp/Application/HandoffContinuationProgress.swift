// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff
internal import HandoffWire

/// An activity that is on its way to this app.
public struct HandoffContinuationProgress: Identifiable, Hashable, Sendable {
    /// Tells one continuation from another of the same type.
    public struct ID: Hashable, Sendable {
        let continuation: ContinuationID
    }

    /// A document that has to be here first.
    public struct Document: Hashable, Sendable {
        /// What it waits for.
        public enum Step: Sendable, Hashable, CaseIterable {
            /// For what is here of it to be looked at.
            case looking
            /// For an app to save what it has open of it.
            case askingApp
            /// For its bytes.
            case receiving
            /// For it to be on the disk, under its name.
            case placing
        }

        /// Of the file.
        public var name: String
        public var step: Step
        /// Bytes that have come.
        public var bytes: UInt64
        /// Bytes that have to come; nil if that is not known.
        public var totalBytes: UInt64?
        /// Lately; nil if that is not known.
        public var bytesPerSecond: UInt64?
        /// How long nothing has come.
        public var silence: Duration
    }

    public let id: ID
    public let activityType: String
    /// Of the device that it comes from, for showing; nil if that is not known.
    public let originName: String?
    /// The one that is waited for; nil where none is.
    public internal(set) var document: Document?
    weak var center: ActivityCenter?

    /// For people: "Continuing from laptop…", "Receiving letter.pages, 12 of 100 MB, 31 MB/s".
    public var text: String {
        let origin = originName ?? "another device"
        guard let document else { return "Continuing from \(origin)…" }
        switch document.step {
        case .looking: return "Looking for \(document.name)…"
        case .askingApp: return "Saving \(document.name)…"
        case .placing: return "Putting \(document.name) in place…"
        case .receiving where document.silence >= Self.shownSilence:
            return "Waiting for \(origin)… no data for \(document.silence.components.seconds) s"
        case .receiving:
            return (["Receiving \(document.name)"] + document.figures).joined(separator: ", ")
        }
    }

    /// A shorter one is the network's way.
    static let shownSilence = Duration.seconds(3)

    /// Ends the continuation: the app hears that it failed, with `CocoaError.userCancelled`. What has come of a document is
    /// not seen under its name.
    public func cancel() { center?.cancel(id.continuation) }

    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.activityType == right.activityType && left.originName == right.originName
            && left.document == right.document
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension HandoffContinuationProgress.Document {
    init(_ progress: DocumentProgress) {
        name = progress.name.text
        step =
            switch progress.step {
            case .looking: .looking
            case .askingApp: .askingApp
            case .receiving: .receiving
            case .placing: .placing
            }
        bytes = progress.bytes
        totalBytes = progress.total
        bytesPerSecond = progress.bytesPerSecond
        silence = .seconds(Int64(progress.secondsSilent))
    }

    /// "12 of 100 MB", "31 MB/s"
    fileprivate var figures: [String] {
        var figures: [String] = []
        if let totalBytes {
            let unit = ByteUnit(for: totalBytes)
            figures.append("\(unit.number(min(bytes, totalBytes))) of \(unit.number(totalBytes)) \(unit.name)")
        } else {
            figures.append(ByteUnit.shown(bytes))
        }
        if let bytesPerSecond { figures.append(ByteUnit.shown(bytesPerSecond) + "/s") }
        return figures
    }
}

/// In which bytes are told to people.
private struct ByteUnit {
    let name: String
    private let bytes: Double

    /// The one in which so many are less than a thousand.
    init(for count: UInt64) {
        var (bytes, unit) = (1.0, 0)
        let names = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        // What would be rounded to 1000 is one of the next.
        while Double(count) / bytes >= 999.5, unit < names.count - 1 { (bytes, unit) = (bytes * 1000, unit + 1) }
        (name, self.bytes) = (names[unit], bytes)
    }

    /// With one place after the point below 10, but for bytes.
    func number(_ count: UInt64) -> String {
        let value = Double(count) / bytes
        guard bytes > 1, value < 9.95, count > 0 else { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }

    static func shown(_ count: UInt64) -> String {
        let unit = ByteUnit(for: count)
        return "\(unit.number(count)) \(unit.name)"
    }
}
