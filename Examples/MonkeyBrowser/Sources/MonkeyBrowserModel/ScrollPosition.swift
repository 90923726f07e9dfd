// SPDX-License-Identifier: Apache-2.0

/// How far a page is scrolled, in CSS pixels from its left upper corner.
package struct ScrollPosition: Hashable, Sendable, CustomStringConvertible {
    package let x: Double
    package let y: Double

    /// The keys under which it travels in `userInfo`.
    package static let userInfoKeys = (x: "ScrollX", y: "ScrollY")

    package static let top = ScrollPosition(x: 0, y: 0)!

    /// Larger than any page.
    private static let pixels = 0.0...100_000_000

    /// Nil if there can be no such position. Received positions are checked here.
    package init?(x: Double, y: Double) {
        guard Self.pixels.contains(x), Self.pixels.contains(y) else { return nil }
        self.x = x
        self.y = y
    }

    /// From a continued activity; nil if it has no position.
    package init?(userInfo: [AnyHashable: Any]?) {
        guard let y = userInfo?[Self.userInfoKeys.y] as? Double else { return nil }
        self.init(x: userInfo?[Self.userInfoKeys.x] as? Double ?? 0, y: y)
    }

    package var userInfo: [AnyHashable: Any] { [Self.userInfoKeys.x: x, Self.userInfoKeys.y: y] }

    /// In whole pixels.
    package var description: String { "\(Int(x.rounded())),\(Int(y.rounded()))" }
}
