// SPDX-License-Identifier: Apache-2.0

/// Decides which messages are read, before their expensive bodies. Limits apply to processes, because a program may
/// open any number of connections.
struct BusGate {
    enum Caller: Hashable, Sendable {
        case process(Int32)
        /// A connection's unique name, if the bus does not know its process.
        case connection(String)
    }

    enum Verdict: Hashable, Sendable {
        case serve
        case refuse(BusFailure)
        /// Not even with an error.
        case ignore
    }

    private struct Account {
        var calls = Allowance()
        var reading = Allowance()
        var connections = 0
        /// Refusals since the account was last full.
        var refusals = 0
        var silentUntil: Duration?

        func isWhole(at now: Duration) -> Bool { calls.isWhole(at: now) && reading.isWhole(at: now) }
    }

    /// At this number of accounts, idle accounts are removed.
    private static let sweep = 256

    private var accounts: [Caller: Account] = [:]

    init() {}

    /// False at the process's limit of connections.
    mutating func joined(_ caller: Caller, at now: Duration) -> Bool {
        if accounts.count >= Self.sweep {
            accounts = accounts.filter { $0.value.connections > 0 || !$0.value.isWhole(at: now) }
        }
        guard accounts[caller, default: Account()].connections < BusLimits.connectionsPerProcess else { return false }
        accounts[caller, default: Account()].connections += 1
        return true
    }

    /// The account stays, so that reconnecting gives no new allowance.
    mutating func left(_ caller: Caller) { accounts[caller]?.connections -= 1 }

    mutating func verdict(on caller: Caller, at now: Duration) -> Verdict {
        var account = accounts[caller] ?? Account()
        defer { accounts[caller] = account }
        if let end = account.silentUntil, now < end {
            account.silentUntil = now + BusLimits.silence
            return .ignore
        }
        if account.silentUntil != nil || account.isWhole(at: now) { (account.silentUntil, account.refusals) = (nil, 0) }
        guard account.calls.hasAny(of: BusLimits.calls, at: now),
            account.reading.hasAny(of: BusLimits.reading, at: now)
        else {
            account.refusals += 1
            guard account.refusals > BusLimits.refusals else { return .refuse(.overItsPace) }
            account.silentUntil = now + BusLimits.silence
            return .ignore
        }
        account.calls.spend(1, of: BusLimits.calls, at: now)
        return .serve
    }

    mutating func charge(_ cost: Int, to caller: Caller, at now: Duration) {
        accounts[caller]?.reading.spend(cost, of: BusLimits.reading, at: now)
    }
}

extension BusFailure {
    static let overItsPace = BusFailure(
        limitsExceeded,
        """
        this program calls too often; allowed are \(BusLimits.callBurst) calls at once, then one every \
        \(BusLimits.callSpacing), and about 1 MB of calls a second
        """)
    static let tooManyConnections = BusFailure(
        limitsExceeded,
        "this program already calls from \(BusLimits.connectionsPerProcess) connections to the bus")
    static let tooManyWatched = BusFailure(
        limitsExceeded, "the bus cannot announce when this program leaves: handoff-bus has reached its limit of matches"
    )
    static let tooEarly = BusFailure(
        limitsExceeded, "too many calls before the bus has identified the calling program; call again")
}

/// A token bucket: a burst, then one token per interval. Times are relative to any fixed moment.
struct Allowance: Hashable, Sendable {
    struct Limit: Hashable, Sendable {
        var burst: Int
        var spacing: Duration
    }

    /// When the bucket is full again.
    private var refilled = Duration.zero

    func isWhole(at now: Duration) -> Bool { refilled <= now }

    func hasAny(of limit: Limit, at now: Duration) -> Bool { refilled - now <= limit.spacing * (limit.burst - 1) }

    /// May overdraw: the next use then waits longer.
    mutating func spend(_ count: Int, of limit: Limit, at now: Duration) {
        refilled = max(refilled, now) + limit.spacing * count
    }
}
