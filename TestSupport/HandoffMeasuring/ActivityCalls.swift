// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// The cost of an app's calls on its activities, nanoseconds each. For the programs of `Benchmarks`.
public enum ActivityCalls {
    /// Making one activity current repeatedly, with a daemon in `root`.
    public struct Currents {
        /// The cost of a lock and a clock read, which each measurement includes.
        public var floor: [Int64]
        public var calls: [Int64]
        /// Frames sent to the daemon.
        public var frames: Int
        /// The most frames permitted in that time.
        public var allowed: Int
    }

    /// For a userInfo of a certain encoded size.
    public struct Entries {
        public var bytes: Int
        /// Merging the same entries into a Swift dictionary.
        public var floor: [Int64]
        public var adding: [Int64]
        /// Writing the same entries as a binary property list, lists as text.
        public var propertyList: [Int64]
        public var encoding: [Int64]
    }

    public static func becomeCurrent(_ count: Int, root: String) throws -> Currents {
        let told = Counter()
        var environment = ActivityCenter.Environment(locations: Locations(root: root), name: "bench", log: { _ in })
        environment.line = { environment in
            CountingLine(
                DaemonConnection(locations: environment.locations, timings: environment.timings), told: told)
        }
        let center = ActivityCenter(environment)
        let activity = NSUserActivity(activityType: "org.example.bench", center: center)
        activity.title = "bench"
        activity.userInfo = ["number": 1]
        activity.becomeCurrent()
        let clock = ContinuousClock()
        let patience = clock.now + .seconds(10)
        while told.value == 0 {
            guard clock.now < patience else { throw Failure(.connectionUnavailable, "no daemon in \(root)") }
            usleep(1000)
        }

        let lock = Lock(0)
        let floor = time(count) { lock.withLock { $0 += 1 } }
        let before = told.value
        let started = clock.now
        let calls = time(count) { activity.becomeCurrent() }
        let spacings = Int(started.duration(to: clock.now) / Limits.offerSpacing)
        let frames = told.value - before
        activity.invalidate()
        return Currents(floor: floor, calls: calls, frames: frames, allowed: Limits.offerBurst + spacings + 1)
    }

    /// Reading the userInfo of a new activity; the floor is reading a Swift dictionary behind a lock.
    public static func firstAccess(runs: Int) -> (floor: [Int64], access: [Int64]) {
        let environment = ActivityCenter.Environment(locations: Locations(root: "/"), name: "bench", log: { _ in })
        let center = ActivityCenter(environment)
        let floor = time(runs) {
            let dictionary = Lock<[String: Int]?>([:])
            precondition(dictionary.withLock { $0 }?.isEmpty == true)
        }
        let activities = (0..<runs).map { _ in NSUserActivity(activityType: "org.example.bench", center: center) }
        var rest = activities[...]
        let access = time(runs) { precondition(rest.removeFirst().userInfo?.isEmpty == true) }
        return (floor, access)
    }

    /// `bytes`: the approximate encoded size.
    public static func entries(bytes: Int, runs: Int) throws -> Entries {
        let environment = ActivityCenter.Environment(locations: Locations(root: "/"), name: "bench", log: { _ in })
        let activity = NSUserActivity(activityType: "org.example.bench", center: ActivityCenter(environment))
        var objects: [AnyHashable: Any] = [:]
        var values: [Value: Value] = [:]
        // About fifty bytes each: a text, a number or a date, as in an app's state.
        for number in 0..<bytes / 50 {
            let key = "item-\(number)"
            let text = String(repeating: "x", count: 48)
            let date = Date(timeIntervalSinceReferenceDate: Double(number))
            let list: [Int] = [number, number + 1, number + 2, number + 3, number + 4, number + 5, number + 6]
            switch number % 3 {
            case 0: (objects[key], values[.string(key)]) = (text, .string(text))
            case 1:
                objects[key] = list
                values[.string(key)] = .array(list.map { .signed(Int64($0)) })
            default: (objects[key], values[.string(key)]) = (date, .date(date.timeIntervalSinceReferenceDate))
            }
        }
        let encoded = try Value.dictionary(values).encoded().count
        var dictionary: [AnyHashable: Any] = ["kept": 1]
        let floor = time(runs) { dictionary.merge(objects) { $1 } }
        activity.userInfo = ["kept": 1]
        let adding = time(runs) { activity.addUserInfoEntries(from: objects) }
        // Lists as text, because Foundation cannot write arrays if it is statically linked ("objects of type 'Not A
        // Type'"). That lowers the floor.
        let texts = Dictionary(
            uniqueKeysWithValues: objects.map { key, value in
                ("\(key)", (value as? [Int]).map { "\($0)" as Any } ?? value)
            })
        let propertyList = try time(runs) {
            _ = try PropertyListSerialization.data(fromPropertyList: texts, format: .binary, options: 0)
        }
        let encoding = try time(runs) { _ = try Value.dictionary(values).encoded() }
        return Entries(bytes: encoded, floor: floor, adding: adding, propertyList: propertyList, encoding: encoding)
    }

    private static func time(_ count: Int, _ body: () throws -> Void) rethrows -> [Int64] {
        var samples: [Int64] = []
        samples.reserveCapacity(count)
        for _ in 0..<count {
            let start = ContinuousClock.now
            try body()
            samples.append(start.duration(to: .now).nanoseconds)
        }
        return samples
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}

private final class Counter: Sendable {
    private let count = Lock(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}

/// Counts the frames of a real connection.
private final class CountingLine: DaemonLine {
    private let line: DaemonConnection
    private let told: Counter

    init(_ line: DaemonConnection, told: Counter) {
        self.line = line
        self.told = told
    }

    func start(_ events: any DaemonConnectionEvents) { line.start(events) }
    func send(_ message: LocalMessage) -> Bool {
        told.add()
        return line.send(message)
    }
    func answer(_ ticket: AnswerTicket, _ message: LocalMessage) -> Bool { line.answer(ticket, message) }
    func request(
        _ message: LocalMessage, completion: @escaping @Sendable (Result<LocalMessage, Failure>) -> Void
    ) -> Bool { line.request(message, completion: completion) }
    func follow(
        _ message: LocalMessage, each: @escaping @Sendable (Result<LocalMessage, Failure>) -> Bool
    ) -> Bool { line.follow(message, each: each) }
    func attach(
        _ token: StreamToken, completion: @escaping @Sendable (Result<AttachedStream, Failure>) -> Void
    ) { line.attach(token, completion: completion) }
    func give(_ file: borrowing OpenFile, as token: FileToken, within limit: Duration) -> Bool {
        line.give(file, as: token, within: limit)
    }
    func wake() { line.wake() }
    func reconnect() { line.reconnect() }
    func close() { line.close() }
}
