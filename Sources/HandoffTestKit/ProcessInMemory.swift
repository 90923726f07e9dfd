// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff
internal import HandoffApp
internal import HandoffClient
internal import HandoffCore
internal import HandoffTesting
internal import HandoffWire
internal import Synchronization

/// An app's process, without the app's objects.
@MainActor final class ProcessInMemory {
    let app: InstalledApp
    let center: ActivityCenter
    var saveDelay = Duration.zero

    private let line: SimulatedLine
    private let streams: ProcessStreams
    private let mainThread = MainThread()
    private let simulation: InMemorySimulation
    private let listener: MemoryClientListener
    private var client: TestClient?
    /// Unanswered requests for the app's state.
    private var saves: Set<UInt64> = []
    private(set) var hasEnded = false
    private let ended: () -> Void

    struct Launch {
        let token: LaunchToken
        let activityType: ActivityType
    }

    init(
        _ app: InstalledApp, by launch: Launch?, in simulation: InMemorySimulation, listener: MemoryClientListener,
        ended: @escaping () -> Void
    ) {
        self.app = app
        self.simulation = simulation
        line = SimulatedLine(bell: simulation.bell)
        streams = ProcessStreams(line, meeting: simulation.meeting)
        self.listener = listener
        self.ended = ended
        var environment = ActivityCenter.Environment(
            locations: Locations(root: "/nowhere"), bundle: app.bundle, name: app.name.text, launchToken: launch?.token,
            log: { _ in })
        environment.launchActivityType = launch?.activityType
        environment.line = { [line] _ in line }
        // The app's thread also runs the device.
        environment.mayWait = false
        let clock = simulation.clock
        environment.now = { clock.now }
        environment.instant = { clock.instant }
        environment.wait = { [line] in line.wait($0, for: $1) }
        center = ActivityCenter(environment)
    }

    func run<Result>(_ body: () throws -> Result) rethrows -> Result { try center.run(body) }

    /// Time passes only to set up streams.
    func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let (rings, listening) = simulation.bell.listen()
        // For streams that were requested before.
        listening.yield()
        let service = Task { await simulation.openStreams(at: rings) }
        do {
            let result = try await ActivityCenter.$simulated.withValue(center, operation: body)
            listening.finish()
            await service.value
            return result
        } catch {
            listening.finish()
            await service.value
            throw error
        }
    }

    /// `main` sets the delegate or returns it.
    func start<Main: AnyObject>(_ main: @MainActor () -> Main) -> Main {
        center.run {
            let started = main()
            if let delegate = started as? any HandoffApplicationDelegate {
                let application = HandoffApplication.shared
                if application.delegate == nil { application.delegate = delegate }
            }
            // Only an app with the application object can receive activities.
            if let application = center.handler as? HandoffApplication {
                application.deliver { [mainThread] in mainThread.add($0) }
                application.finishLaunching()
            }
            return started
        }
    }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        client?.close()
        client = nil
        streams.cutAll(Failure(.appGone, "the app quit"))
        _ = line.disconnected()
        ended()
    }

    /// Also for streams that another app requested.
    var isOpeningStreams: Bool { !hasEnded && (line.isAwaitingAnswer || streams.areBeingOpened) }

    // MARK: Turns

    /// Sends messages and runs the main thread's work. False if there was nothing.
    func takeTurn() -> Bool {
        guard !hasEnded else { return false }
        let words = line.takeWords()
        // A hello has the current state, so send only the last.
        let hello = words.lastIndex(where: \.asksForHello)
        for (index, word) in words.enumerated() where !word.asksForHello || index == hello { pass(word) }
        let work = mainThread.take()
        for work in work { center.run { work() } }
        streams.look()
        return !words.isEmpty || !work.isEmpty
    }

    private func pass(_ word: SimulatedLine.Word) {
        switch word {
        case .start: connect()
        case .wake: line.events?.woken()
        case .frame(let frame):
            guard saves.remove(frame.answer) != nil, saveDelay > .zero else {
                client?.send(frame)
                return
            }
            simulation.time.schedule(after: saveDelay) { [weak self] in self?.client?.send(frame) }
        case .attach(let token, let answer): streams.attach(token, through: client, answer: answer)
        case .streamWritten(let stream): streams.written(stream)
        case .reconnect:
            disconnect()
            connect()
        case .close: disconnect()
        case .wait(let delay, let work): simulation.time.schedule(after: delay, work)
        }
    }

    private func connect() {
        guard let events = line.events else { return }
        let client = listener.connect(executable: app.executable)
        self.client = client
        client.onFrame = { [weak self, weak client] frame in
            guard let self, let client, client === self.client else { return }
            received(frame)
        }
        client.onClose = { [weak self, weak client] in
            guard let self, let client, client === self.client else { return }
            disconnect()
        }
        client.hello(events.hello())
    }

    private func disconnect() {
        client?.close()
        client = nil
        saves = []
        let failure = Failure(.connectionUnavailable, "the connection to the daemon ended")
        streams.cutAll(failure)
        if line.disconnected() { line.events?.disconnected(failure) }
    }

    private func received(_ frame: LocalFrame) {
        guard !streams.heard(frame.message), frame.answer == 0 || !line.answered(frame) else { return }
        switch frame.message {
        case .welcome(let welcome):
            line.connected()
            line.events?.connected(welcome)
        case .failure(let failure) where frame.answer != 0: line.events?.unavailable(failure)
        case _ where frame.answer != 0: break
        default:
            if case .advertising(.save) = frame.message { saves.insert(frame.request) }
            line.events?.received(frame.message, ticket: line.ticket(for: frame))
        }
    }
}

/// Can be added to on any thread.
final class MainThread: Sendable {
    typealias Work = @MainActor @Sendable () -> Void
    private let waiting = Mutex<[Work]>([])

    func add(_ work: @escaping Work) { waiting.withLock { $0.append(work) } }

    func take() -> [Work] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}

/// Readable on any thread.
final class AppClock: Sendable {
    private let first: Date
    private let started = ContinuousClock.now
    private let passed = Mutex(Duration.zero)

    init(_ first: Date) { self.first = first }

    func set(_ passed: Duration) { self.passed.withLock { $0 = passed } }

    var now: Date {
        let (seconds, attoseconds) = passed.withLock { $0 }.components
        return first.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }

    var instant: ContinuousClock.Instant { started + passed.withLock { $0 } }
}
