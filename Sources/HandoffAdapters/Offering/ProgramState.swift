// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The state of every system program's activity: what is open, and at which place. docs/adapters.md lists the keys.
package struct ProgramState: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// As `OpenSource.page`.
        case page(String)
        /// As `OpenSource.message`.
        case message(String)
        case point(MapPoint)
        /// In the user's home folder.
        case homeFile(DocumentPath, FileContent, CheckoutPlace? = nil)
        /// Below the user's home folder.
        case homeFolder(DocumentPath, CheckoutPlace? = nil)

        /// The same thing, even if its content differs.
        func names(_ other: Source?) -> Bool {
            switch (self, other) {
            case (.homeFile(let path, _, _), .homeFile(let other, _, _)?): path == other
            case (.homeFolder(let path, _), .homeFolder(let other, _)?): path == other
            case (.point(let point), .point(let other)?): point.isNear(other)
            default: self == other
            }
        }

        var checkout: CheckoutPlace? {
            switch self {
            case .homeFile(_, _, let checkout), .homeFolder(_, let checkout): checkout
            case .page, .message, .point: nil
            }
        }
    }

    package enum Place: Hashable, Sendable {
        /// Seconds.
        case time(Double)
        /// From 1.
        case page(Int)
        /// From 1; the column in characters.
        case cursor(line: Int, column: Int)
    }

    /// Seconds: the largest position; players use microseconds in 64 bits.
    static let maximumSeconds = 1e9
    /// The largest page, line and column.
    static let maximumNumber = 1_000_000_000

    package let source: Source
    package var place: Place?
    package var isPlaying = false

    init(source: Source, place: Place? = nil, isPlaying: Bool = false) {
        self.source = source
        self.place = place
        self.isPlaying = isPlaying
    }

    var seconds: Double? { if case .time(let seconds)? = place { seconds } else { nil } }
}
