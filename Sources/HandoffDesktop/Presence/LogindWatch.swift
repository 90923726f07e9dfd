// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffBus
internal import HandoffCore

/// This user's sessions, as systemd-logind has them on the system bus. Whatever changes there, all of them are read again:
/// there are few, and logind leaves out of its signals some of what counts.
final class LogindWatch {
    private static let service = "org.freedesktop.login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"
    /// What is said of a session that is no longer there.
    private static let gone: Set = [
        BusFailure.unknownObject, BusFailure.unknownMethod, "org.freedesktop.login1.NoSuchSession",
    ]

    /// All that there are.
    var sessionsRead: ([LoginSession]) -> Void = { _ in }
    /// It is not there, or does not answer.
    var lost: () -> Void = {}
    /// By the session's id.
    var lockRequested: (_ session: String, _ isToLock: Bool) -> Void = { _, _ in }

    private let bus: BusConnector
    private var slots: [BusSlot] = []
    private var connection: BusConnection?
    /// Its unique name: what comes from another is not its word.
    private var owner: String?
    /// Ids by the paths of their objects.
    private var known: [String: String] = [:]
    private var reading: Reading?
    /// Something changed since it began.
    private var isStale = false

    /// One look at all sessions. What comes for another one than the last is late.
    private final class Reading {
        var waiting = 0
        var sessions: [LoginSession] = []
        /// Nothing was left out that is still there.
        var isWhole = true
    }

    init(bus: BusConnector) {
        self.bus = bus
        bus.connected = { [unowned self] in connected($0) }
        bus.disconnected = { [unowned self] in
            (slots, connection) = ([], nil)
            ownerChanged(nil)
        }
    }

    func start() { bus.start() }

    private func connected(_ bus: BusConnection) {
        connection = bus
        // A watch that misses the locking of the screen must not report that its user is there.
        bus.matchRefused = { [unowned self] _ in
            (slots, connection) = ([], nil)
            ownerChanged(nil)
        }
        let listChanged = { [unowned self] (message: BusMessage) in if message.sender == owner { read() } }
        do throws(BusFailure) {
            slots = [
                try bus.onSignal(Self.manager, "SessionNew", "so", from: Self.service, listChanged),
                try bus.onSignal(Self.manager, "SessionRemoved", "so", from: Self.service, listChanged),
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

    /// Of the session of this user that a signal is about.
    private func id(of signal: BusMessage) -> String? { signal.sender == owner ? known[signal.path] : nil }

    private func ownerChanged(_ name: String?) {
        owner = name
        known = [:]
        reading = nil
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
        ask("/org/freedesktop/login1", Self.manager, "ListSessions") { [weak self] answer in
            guard let self, self.reading === reading else { return }
            guard let rows = (try? answer.get())?[0]?.elements else { return ended(nil) }
            known = Self.own(rows)
            reading.waiting = known.count
            if known.isEmpty { return ended([]) }
            for (path, id) in known { read(id, at: path, for: reading) }
        }
    }

    private func read(_ id: String, at path: String, for reading: Reading) {
        ask(path, "org.freedesktop.DBus.Properties", "GetAll", [.string(Self.session)]) { [weak self] answer in
            guard let self, self.reading === reading else { return }
            switch answer {
            case .success(let answer):
                let found = answer[0]?.properties.flatMap { LoginSession(id, $0) }
                if let found { reading.sessions.append(found) }
            // It has just ended.
            case .failure(let failure) where Self.gone.contains(failure.name): break
            // Of a slow logind nothing is concluded: what was known holds until the next change.
            case .failure: reading.isWhole = false
            }
            reading.waiting -= 1
            if reading.waiting == 0 { ended(reading.sessions) }
        }
    }

    /// Nil: it does not answer.
    private func ended(_ sessions: [LoginSession]?) {
        let isWhole = reading?.isWhole ?? false
        reading = nil
        if let sessions { if isWhole { sessionsRead(sessions) } } else { lost() }
        if isStale { read() }
    }

    private func ask(
        _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = [],
        completion: @escaping (Result<BusMessage, BusFailure>) -> Void
    ) {
        connection?.call(
            BusCall(Self.service, path, interface, member, body, mayStart: false), completion: completion)
    }

    /// Ids by path, of the rows that `ListSessions` answers with: id, user, name, seat, path. One more than is looked at, so
    /// that there are more is seen.
    private static func own(_ rows: [BusValue]) -> [String: String] {
        let own = rows.lazy.compactMap { row -> (String, String)? in
            guard let columns = row.elements, columns.count == 5, columns[1].integer == Int64(getuid()),
                let id = columns[0].text, let path = columns[4].text
            else { return nil }
            return (path, id)
        }
        return Dictionary(own.prefix(PresenceLimits().sessions + 1)) { first, _ in first }
    }
}

extension LoginSession {
    /// `properties`: those of `org.freedesktop.login1.Session`.
    fileprivate init?(_ id: String, _ properties: [String: BusValue]) {
        self.init(
            id, type: properties["Type"]?.text ?? "", class: properties["Class"]?.text ?? "",
            state: properties["State"]?.text ?? "",
            hasSeat: properties["Seat"]?.elements?.first?.text?.isEmpty == false,
            isActive: properties["Active"]?.flag == true, isLocked: properties["LockedHint"]?.flag == true,
            isIdle: properties["IdleHint"]?.flag == true)
    }
}
