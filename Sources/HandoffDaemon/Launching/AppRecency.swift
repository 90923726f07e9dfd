// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The order in which apps were used, newest first. Kept across restarts as one bundle identifier per line.
struct AppRecency: Hashable, Sendable {
    /// The number of apps remembered; the least recently used app is dropped.
    static let maximumApps = 256

    private var bundles: [BundleID] = []

    init() {}

    /// Skips invalid lines, because the worst result is a wrong order.
    init(file: [UInt8]) {
        for line in file.split(separator: UInt8(ascii: "\n")).prefix(Self.maximumApps) {
            let bundle = try? BundleID(String(decoding: line, as: UTF8.self))
            if let bundle, !bundles.contains(bundle) { bundles.append(bundle) }
        }
    }

    var file: [UInt8] { Array(bundles.map { $0.name + "\n" }.joined().utf8) }

    /// 0 for the most recently used app.
    subscript(bundle: BundleID) -> Int? { bundles.firstIndex(of: bundle) }

    /// Returns true if the order changed.
    mutating func used(_ bundle: BundleID) -> Bool {
        guard bundles.first != bundle else { return false }
        bundles.removeAll { $0 == bundle }
        bundles.insert(bundle, at: 0)
        bundles.removeLast(max(0, bundles.count - Self.maximumApps))
        return true
    }
}
