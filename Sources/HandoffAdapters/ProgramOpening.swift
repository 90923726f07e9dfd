// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffSystem
import HandoffWire

/// Opens one activity in a system program that the daemon wants to continue it: registers with the token of its start, waits
/// for the activity, starts the program, and ends.
final class ProgramOpening {
    /// From the start of this process to the activity.
    static let patience = Duration.seconds(60)
    /// Until a player must have appeared on the bus with what it opened. One without MPRIS is believed if it still runs.
    static let proof = Duration.seconds(5)
    /// Seconds. VLC ignores the start time if it starts paused.
    static let tolerance = 2.0
    /// For the answer to leave this process.
    static let farewell = Duration.milliseconds(200)

    private let entry: String
    private let executable: String
    private let environment: [String: String]
    private let home: HomeFile
    private let loop: BusLoop
    private let offLoop: OffLoop
    private let connector: BusConnector
    private let participant: ProgramParticipant
    private var bus: BusConnection?
    private var names: PlayerNames?
    private var player: FollowedPlayer?
    private var timer: LoopWatch?
    private var process: SpawnedProcess?
    private var answer: ((Result<Bool, BusFailure>) -> Void)?

    /// Throws if the daemon did not start this process.
    init(
        entry: String, executable: String, environment: [String: String], address: String, on loop: BusLoop
    ) throws(BusFailure) {
        guard let program = try? BundleID(systemProgram: entry), KnownProgram.of(program) != nil,
            let token = environment[Locations.launchTokenVariable]
        else {
            throw BusFailure(BusFailure.invalidArguments, "handoffd starts this, with a program that it knows")
        }
        self.entry = entry
        self.executable = executable
        self.environment = environment
        self.loop = loop
        home = HomeFile(environment: environment)
        offLoop = OffLoop(loop)
        connector = BusConnector(to: address, on: loop)
        participant = ProgramParticipant(program, options: ["launch-token": .string(token)], to: address, on: loop)
        connector.connected = { [unowned self] in bus = $0 }
        participant.refused = { [unowned self] failure in end("cannot take part: \(failure.sentence)") }
        participant.failed = { [unowned self] in end(nil) }
        participant.arrived = { [unowned self] in arrived($0, $1) }
    }

    func start() {
        timer = loop.after(Self.patience) { [unowned self] in end("no activity has arrived") }
        connector.start()
        participant.start()
    }

    private func end(_ problem: String?) {
        if let problem { Complaint.say(problem) }
        loop.exit(problem == nil ? 0 : 1)
    }

    private func settle(_ result: Result<Bool, BusFailure>) {
        guard let answer else { return }
        self.answer = nil
        answer(result)
        names = nil
        timer = loop.after(Self.farewell) { [unowned self] in end(nil) }
    }

    // MARK: Opening

    private func arrived(_ properties: [String: BusValue], _ answer: @escaping (Result<Bool, BusFailure>) -> Void) {
        guard self.answer == nil, process == nil else { return answer(.success(false)) }
        self.answer = answer
        do throws(BusFailure) {
            let state = try ProgramState(properties)
            switch state.source {
            case .page(let url): open(url, state)
            case .homeFile(let path, let bytes):
                offLoop.run({ [home] in Self.result { () throws(BusFailure) in try home.file(path, bytes: bytes) } }) {
                    [weak self] found in
                    switch found {
                    case .success(let file): self?.open(file, state)
                    case .failure(let failure): self?.settle(.failure(failure))
                    case nil: self?.settle(.failure(BusFailure(BusFailure.failed, "the home folder does not answer")))
                    }
                }
            }
        } catch {
            settle(.failure(error))
        }
    }

    private static func result<Value>(_ body: () throws(BusFailure) -> Value) -> Result<Value, BusFailure> {
        do throws(BusFailure) { return .success(try body()) } catch { return .failure(error) }
    }

    private func open(_ target: String, _ state: ProgramState) {
        guard let arguments = PlayerCommand.arguments(of: entry, opening: target, state) else {
            return settle(.failure(.didNotStart("Handoff does not know how to open something in \(entry)")))
        }
        do throws(SystemError) {
            let process = try SpawnedProcess(
                executable: executable, arguments: [executable] + arguments,
                environment: SessionEnvironment.forOpening(environment), directory: environment["HOME"] ?? "/",
                output: 1)
            self.process = process
            watch(process, for: state.seconds)
        } catch {
            settle(.failure(.didNotStart("\(entry) could not be started: \(error.reason)")))
        }
    }

    /// Proof is the player on the bus, else that it still runs.
    private func watch(_ process: SpawnedProcess, for place: Double?) {
        timer = loop.after(Self.proof) { [unowned self] in settle(.success(true)) }
        if let bus {
            names = try? PlayerNames(
                on: bus, appeared: { [unowned self] in appeared($0, of: process, at: place) }, left: { _ in })
        }
        let ended = { [weak self, entry] (status: CInt?) in
            let code = status.map { $0 & 0x7f == 0 ? "code \(($0 >> 8) & 0xff)" : "signal \($0 & 0x7f)" }
            self?.settle(.failure(.didNotStart("\(entry) ended at once with \(code ?? "an unknown code")")))
        }
        // Only called on the loop.
        nonisolated(unsafe) let onLoop = ended
        DetachedThread.start { [queue = loop.queue] in
            let status = process.waitForStatus()
            queue.execute { onLoop(status) }
        }
    }

    private func appeared(_ name: PlayerName, of process: SpawnedProcess, at place: Double?) {
        bus?.process(behind: name.text) { [weak self] result in
            guard let self, let bus, case .success(let peer) = result, peer.processID == process.id else { return }
            let player = FollowedPlayer(name, of: participant.program, home: home, offLoop: offLoop, on: loop)
            player.changed = { [weak self] media, _ in if media != nil { self?.check(place) } }
            self.player = player
            try? player.follow(on: bus)
        }
    }

    /// `place`: seconds. Nil: unknown.
    private func check(_ place: Double?) {
        guard let place, let player else { return settle(.success(true)) }
        player.position { [weak self] seconds in
            guard let seconds, abs(seconds - place) > Self.tolerance else { return self?.settle(.success(true)) ?? () }
            player.move(to: place) { self?.settle(.success(true)) }
        }
    }
}

extension BusFailure {
    fileprivate static func didNotStart(_ sentence: String) -> BusFailure {
        BusFailure("org.handoff.Error.AppDidNotStart", sentence)
    }
}
