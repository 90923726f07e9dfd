// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Apps that were started but have not connected.
///
/// An app is started once for all waiters. The start ends when a client of the app accepts continuations, when the
/// process exits, or, for each waiter, at its deadline. Then the next request starts the app again.
///
/// A launch token identifies a new client's app. It is valid once, while the process lives, even after all waiters gave
/// up.
struct LaunchStateMachine<Waiter>: ~Copyable {
    /// Beyond so many unused tokens, the oldest becomes invalid.
    static var maximumTokens: Int { 256 }

    private struct Start {
        let token: LaunchToken
        var waiters: [(waiter: Waiter, deadline: Instant)]
    }

    private var starts: [BundleID: Start] = [:]
    private var tokens: [(token: LaunchToken, bundle: BundleID)] = []

    init() {}

    var nextDeadline: Instant? {
        starts.isEmpty ? nil : starts.values.lazy.flatMap { $0.waiters }.map { $0.deadline }.min()
    }

    enum RequestAction: Hashable {
        case launch(LaunchToken)
        case wait
    }

    /// `fresh`: the token if the app is started.
    mutating func requested(
        _ bundle: BundleID, by waiter: Waiter, deadline: Instant, fresh: LaunchToken
    ) -> RequestAction {
        if starts[bundle] != nil {
            starts[bundle]?.waiters.append((waiter, deadline))
            return .wait
        }
        starts[bundle] = Start(token: fresh, waiters: [(waiter, deadline)])
        if tokens.count >= Self.maximumTokens { tokens.removeFirst() }
        tokens.append((fresh, bundle))
        return .launch(fresh)
    }

    func isAwaited(_ token: LaunchToken) -> Bool { starts.values.contains { $0.token == token } }

    /// Nil if unknown, used, or the process exited.
    mutating func redeemed(_ token: LaunchToken) -> BundleID? {
        tokens.firstIndex { $0.token == token }.map { tokens.remove(at: $0).bundle }
    }

    mutating func appConnected(_ bundle: BundleID) -> [Waiter] {
        starts.removeValue(forKey: bundle)?.waiters.map { $0.waiter } ?? []
    }

    /// Returns the waiters, whose requests fail.
    mutating func ended(_ token: LaunchToken) -> [Waiter] {
        tokens.removeAll { $0.token == token }
        guard let (bundle, start) = starts.first(where: { $0.value.token == token }) else { return [] }
        starts[bundle] = nil
        return start.waiters.map { $0.waiter }
    }

    mutating func deadlineReached(now: Instant) -> [(waiter: Waiter, bundle: BundleID)] {
        var late: [(waiter: Waiter, bundle: BundleID)] = []
        for (bundle, start) in starts.sorted(by: { $0.key < $1.key }) {
            late += start.waiters.filter { $0.deadline <= now }.map { ($0.waiter, bundle) }
            let patient = start.waiters.filter { $0.deadline > now }
            starts[bundle] = patient.isEmpty ? nil : Start(token: start.token, waiters: patient)
        }
        return late
    }
}

/// By use, newest first. The file has one bundle identifier per line.
struct AppRecency: Hashable, Sendable {
    /// The least recently used app is dropped.
    static let maximumApps = 256

    private var bundles: [BundleID] = []

    init() {}

    /// Skips invalid lines: the worst result is a wrong order.
    init(file: [UInt8]) {
        for line in file.split(separator: UInt8(ascii: "\n")).prefix(Self.maximumApps) {
            let bundle = try? BundleID(appOrProgram: String(decoding: line, as: UTF8.self))
            if let bundle, !bundles.contains(bundle) { bundles.append(bundle) }
        }
    }

    var file: [UInt8] { Array(bundles.map { $0.name + "\n" }.joined().utf8) }

    subscript(bundle: BundleID) -> Int? { bundles.firstIndex(of: bundle) }

    mutating func remove(_ bundle: BundleID) { bundles.removeAll { $0 == bundle } }

    mutating func used(_ bundle: BundleID) -> Bool {
        guard bundles.first != bundle else { return false }
        bundles.removeAll { $0 == bundle }
        bundles.insert(bundle, at: 0)
        bundles.removeLast(max(0, bundles.count - Self.maximumApps))
        return true
    }
}
