// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffBus
internal import HandoffCore

/// After any change, all sessions are read again: logind's signals omit some relevant changes.
final class LogindWatch {
    static let service = "org.freedesktop.login1"
    static let path = "/org/freedesktop/login1"
    static let manager = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"
    private static let gone: Set = [
        BusFailure.unknownObject, BusFailure.unknownMethod, "org.freedesktop.login1.NoSuchSession",
    ]

    var sessionsRead: ([LoginSession]) -> Void = { _ in }
    var lost: () -> Void = {}
    var lockRequested: (_ session: String, _ isToLock: Bool) -> Void = { _, _ in }

    private let bus: BusConnector
    private let sleep: SleepWatch
    private var slots: [BusSlot] = []
    private var connection: BusConnection?
    /// A unique name; signals from other senders are ignored.
    private var owner: String?
    /// Ids by object path.
    private var known: [String: String] = [:]
    private var reading: Reading?
    /// A change occurred during the reading.
    private var isStale = false

    /// Answers for an earlier reading are ignored.
    private final class Reading {
        var waiting = 0
        var sessions: [LoginSession] = []
        var isWhole = true
    }

    init(bus: BusConnector, sleep: SleepWatch) {
        self.bus = bus
        self.sleep = sleep
        bus.connected = { [unowned self] in connected($0) }
        bus.disconnected = { [unowned self] in
            (slots, connection) = ([], nil)
            ownerChanged(nil)
        }
    }

    func start() { bus.start() }

    private func connected(_ bus: BusConnection) {
        connection = bus
        // Without these signals, this must not report that the user is present.
        bus.matchRefused = { [unowned self] _ in
            (slots, connection) = ([], nil)
            ownerChanged(nil)
        }
        let listChanged = { [unowned self] (message: BusMessage) in if message.sender == owner { read() } }
        do throws(BusFailure) {
            slots = [
                try bus.onSignal(Self.manager, "SessionNew", "so", from: Self.service, listChanged),
                try bus.onSignal(Self.manager, "SessionRemoved", "so", from: Self.service, listChanged),
                try bus.onSignal(Self.manager, "PrepareForSleep", "b", from: Self.service) { [unowned self] in
                    if $0.sender == owner, let isSleepAhead = $0[0]?.flag { sleep.prepare(isSleepAhead) }
                },
                try bus.match(
                    """
                    type='signal',sender='\(Self.service)',interface='org.freedesktop.DBus.Properties',\
                    member='PropertiesChanged',arg0='\(Self.session)'
                    """, accepts: { $0.signature == "sa{sv}as" }
                ) { [unowned self] in if $0.sender == owner, known.isEmpty || known[$0.path] != nil { read() } },
                try bus.onSignal(Self.session, "Lock", "", from: Self.service) { [unowned self] in
                    if let id = id(of: $0) { lockRequested(id, true) }
                },
                try bus.onSignal(Self.session, "Unlock", "", from: Self.service) { [unowned self] in
                    if let id = id(of: $0) { lockRequested(id, false) }
                },
                try bus.watchName(Self.service) { [unowned self] in ownerChanged($0) },
            ]
        } catch {
            lost()
        }
    }

    private func id(of signal: BusMessage) -> String? { signal.sender == owner ? known[signal.path] : nil }

    private func ownerChanged(_ name: String?) {
        owner = name
        known = [:]
        reading = nil
        sleep.logindChanged(on: name == nil ? nil : connection)
        if name == nil { lost() } else { read() }
    }

    // MARK: Reading

    private func read() {
        guard reading == nil else {
            isStale = true
            return
        }
        let reading = Reading()
        self.reading = reading
        isStale = false
        let list = BusCall(Self.service, Self.path, Self.manager, "ListSessions", mayStart: false)
        connection?.call(list) { [weak self] answer in
            guard let self, self.reading === reading else { return }
            guard let rows = (try? answer.get())?[0]?.elements else { return ended(nil) }
            known = Self.own(rows)
            reading.waiting = known.count
            if known.isEmpty { return ended([]) }
            for (path, id) in known { read(id, at: path, for: reading) }
        }
    }

    private func read(_ id: String, at path: String, for reading: Reading) {
        connection?.call(.properties(of: Self.session, at: path, on: Self.service)) { [weak self] answer in
            guard let self, self.reading === reading else { return }
            switch answer {
            case .success(let answer):
                let found = answer[0]?.properties.flatMap { LoginSession(id, $0) }
                if let found { reading.sessions.append(found) }
            case .failure(let failure) where Self.gone.contains(failure.name): break
            // No conclusion from a slow logind: keep the last state until the next change.
            case .failure: reading.isWhole = false
            }
            reading.waiting -= 1
            if reading.waiting == 0 { ended(reading.sessions) }
        }
    }

    private func ended(_ sessions: [LoginSession]?) {
        let isWhole = reading?.isWhole ?? false
        reading = nil
        if let sessions { if isWhole { sessionsRead(sessions) } } else { lost() }
        if isStale { read() }
    }

    /// Rows of `ListSessions`: id, user, name, seat, path. Returns one more than is used, to detect more.
    private static func own(_ rows: [BusValue]) -> [String: String] {
        let own = rows.lazy.compactMap { row -> (String, String)? in
            guard let columns = row.elements, columns.count == 5, columns[1].integer == Int64(getuid()),
                let id = columns[0].text, let path = columns[4].text
            else { return nil }
            return (path, id)
        }
        return Dictionary(own.prefix(AttendanceLimits().sessions + 1)) { first, _ in first }
    }
}

extension LoginSession {
    fileprivate init?(_ id: String, _ properties: [String: BusValue]) {
        self.init(
            id, type: properties["Type"]?.text ?? "", class: properties["Class"]?.text ?? "",
            state: properties["State"]?.text ?? "",
            hasSeat: properties["Seat"]?.elements?.first?.text?.isEmpty == false,
            isActive: properties["Active"]?.flag == true, isLocked: properties["LockedHint"]?.flag == true,
            isIdle: properties["IdleHint"]?.flag == true)
    }
}
