// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// Chooses the offered instance of a program, and spaces the messages about it. Order: active instances, the focus, the
/// latest to change.
struct OfferStateMachine {
    /// At most two messages are sent in this time. Withdrawing never waits.
    static let period = Duration.seconds(1)
    /// Before a wrong place is reported: a program that opens something else changes its place first, and the new
    /// activity must not wait for `period`.
    static let patience = Duration.milliseconds(250)

    struct Shown: Hashable, Sendable {
        var source: ProgramState.Source
        var title: String

        init(source: ProgramState.Source, title: String) {
            self.source = source
            self.title = title
        }
    }

    enum Standing: Hashable, Sendable {
        /// A player plays, or a window has the focus.
        case active
        case open
        case closed
    }

    enum Message: Hashable, Sendable {
        /// In place of the previous one.
        case publish(Shown, of: InstanceName)
        case update(title: String)
        /// The user has returned to it from another program.
        case returned
        /// The last saved place is wrong.
        case changed
        case withdraw
    }

    private struct Instance {
        var shown: Shown?
        var standing: Standing
        var order: UInt64
    }

    /// As the daemon has it.
    var offered: Shown? { told?.shown }

    private struct Told {
        var shown: Shown
        var name: InstanceName
    }

    private var instances: [InstanceName: Instance] = [:]
    /// The last to have the focus.
    private var focused: InstanceName?
    private var changes: UInt64 = 0
    private var told: Told?
    private var isStale = false { didSet { if !isStale { staleTime = nil } } }
    private var isReturnedTo = false
    private var staleTime: Instant?
    private var sent: (earlier: Instant?, last: Instant?)

    init() {}

    // MARK: Instances

    /// `shown` nil: nothing that may continue.
    mutating func changed(_ name: InstanceName, _ shown: Shown?, _ standing: Standing) {
        let before = instances[name]
        let isNew = before?.shown?.source != shown?.source || before?.standing != standing
        if isNew { changes += 1 }
        instances[name] = Instance(shown: shown, standing: standing, order: isNew ? changes : before?.order ?? 0)
        if isNew, name == told?.name { isStale = true }
    }

    mutating func moved(_ name: InstanceName) {
        changes += 1
        instances[name]?.order = changes
        if name == told?.name { isStale = true }
    }

    /// `isReturn`: from another program's window.
    mutating func focused(_ name: InstanceName, isReturn: Bool) {
        focused = name
        if isReturn { isReturnedTo = true }
    }

    mutating func left(_ name: InstanceName) {
        instances[name] = nil
        if name == focused { focused = nil }
    }

    mutating func allLeft() { (instances, focused) = ([:], nil) }

    // MARK: The daemon

    /// The instance whose place is requested. Nil: its activity is gone.
    mutating func saved() -> InstanceName? {
        isStale = false
        return told?.name
    }

    /// The instance that was continued elsewhere, if it is still active.
    var continued: InstanceName? { told.flatMap { instances[$0.name]?.standing == .active ? $0.name : nil } }

    /// The daemon, or this program's registration, has forgotten everything.
    mutating func forgotten() {
        told = nil
        isStale = false
        isReturnedTo = false
    }

    private var front: Told? {
        let offered = instances.compactMap { name, instance in
            instance.shown.flatMap { instance.standing == .closed ? nil : (name, instance, $0) }
        }
        let first = offered.max { left, right in
            rank(of: left.0, left.1) < rank(of: right.0, right.1)
        }
        return first.map { Told(shown: $0.2, name: $0.0) }
    }

    private func rank(of name: InstanceName, _ instance: Instance) -> (Int, Int, UInt64) {
        (instance.standing == .active ? 1 : 0, name == focused ? 1 : 0, instance.order)
    }

    mutating func next(_ now: Instant) -> Message? {
        guard let front else {
            guard told != nil else { return nil }
            forgotten()
            return .withdraw
        }
        guard let message = message(about: front) else { return nil }
        if message == .changed, staleTime == nil { staleTime = now.advanced(by: Self.patience) }
        guard now >= time(of: message) else { return nil }
        sent = (sent.last, now)
        told = front
        isStale = false
        isReturnedTo = false
        return message
    }

    private func message(about front: Told) -> Message? {
        guard let told, told.name == front.name, told.shown.source == front.shown.source else {
            return .publish(front.shown, of: front.name)
        }
        if told.shown.title != front.shown.title { return .update(title: front.shown.title) }
        return if isReturnedTo { .returned } else if isStale { .changed } else { nil }
    }

    private func time(of message: Message) -> Instant {
        let free = sent.earlier?.advanced(by: Self.period) ?? .zero
        guard message == .changed else { return free }
        // It may wait, and a new activity must not wait for it.
        return max(free, staleTime ?? free, sent.last?.advanced(by: Self.period) ?? free)
    }

    /// When `next` has a message that must wait. Nil: none.
    var nextTime: Instant? { front.flatMap(message(about:)).map(time(of:)) }
}

/// A unique name on the bus, which is never reused, or a process.
struct InstanceName: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}
