// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff
internal import HandoffWire

/// An activity on its way to this app.
public struct HandoffContinuationProgress: Identifiable, Hashable, Sendable {
    /// Identifies one continuation.
    public struct ID: Hashable, Sendable {
        let continuation: ContinuationID
    }

    /// A document that must arrive first.
    public struct Document: Hashable, Sendable {
        /// The current step.
        public enum Step: Sendable, Hashable, CaseIterable {
            /// The local copy is being examined.
            case looking
            /// An app is saving its open document.
            case askingApp
            /// The bytes are arriving.
            case receiving
            /// The file is being written and moved to its name.
            case placing
        }

        /// The file name.
        public var name: String
        public var step: Step
        /// Bytes received.
        public var bytes: UInt64
        /// Bytes to receive; nil if unknown.
        public var totalBytes: UInt64?
        /// Nil if unknown.
        public var bytesPerSecond: UInt64?
        /// Since the last bytes arrived.
        public var silence: Duration
    }

    public let id: ID
    public let activityType: String
    /// For display; nil if unknown.
    public let originName: String?
    /// Nil if there is none.
    public internal(set) var document: Document?
    weak var center: ActivityCenter?

    /// For display, such as "Receiving letter.pages, 12 of 100 MB, 31 MB/s".
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

    /// Shorter pauses are normal on a network.
    static let shownSilence = Duration.seconds(3)

    /// Fails the continuation with `CocoaError.userCancelled`. A partly received document never appears under its name.
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

private struct ByteUnit {
    let name: String
    private let bytes: Double

    /// Picks the unit that keeps the number below a thousand.
    init(for count: UInt64) {
        var (bytes, unit) = (1.0, 0)
        let names = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        // Rounding must not give 1000.
        while Double(count) / bytes >= 999.5, unit < names.count - 1 { (bytes, unit) = (bytes * 1000, unit + 1) }
        (name, self.bytes) = (names[unit], bytes)
    }

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
