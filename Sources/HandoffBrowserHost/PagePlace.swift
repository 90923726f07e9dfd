// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// How far a page has been read or watched. Both nil: unknown.
package struct PagePlace: Hashable, Sendable {
    /// From 0, the top, to 1.
    package let scroll: Double?
    /// Position in the page's film or sound; nil without one.
    package let seconds: Double?

    /// A value outside its range becomes nil.
    package init(scroll: Double? = nil, seconds: Double? = nil) {
        self.scroll = scroll.flatMap { (0...1).contains($0) ? $0 : nil }
        self.seconds = seconds.flatMap { (0...BrowserLimits.maximumSeconds).contains($0) ? $0 : nil }
    }

    // MARK: userInfo

    private static let scrollKey = "scroll"
    private static let secondsKey = "seconds"

    /// From another browser. Unknown keys and values are ignored.
    init(userInfo: [UInt8]) {
        guard !userInfo.isEmpty, case .dictionary(let info)? = try? Value(encoded: userInfo) else {
            self.init()
            return
        }
        func number(_ key: String) -> Double? {
            if case .double(let number)? = info[.string(key)] { number } else { nil }
        }
        self.init(scroll: number(Self.scrollKey), seconds: number(Self.secondsKey))
    }

    /// Empty if both are unknown.
    func userInfo() throws(WireError) -> [UInt8] {
        var known: [Value: Value] = [:]
        if let scroll { known[.string(Self.scrollKey)] = .double(scroll) }
        if let seconds { known[.string(Self.secondsKey)] = .double(seconds) }
        return known.isEmpty ? [] : try Value.dictionary(known).encoded()
    }
}
