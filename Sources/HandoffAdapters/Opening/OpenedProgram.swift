// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffSystem
import HandoffWire

/// One activity on its way into a new process of a program.
final class OpenedProgram {
    /// Until a player must have appeared on the bus with its media. A player without MPRIS is believed if it still runs.
    static let proof = Duration.seconds(5)
    /// Between two questions to a player that is opening something: mpv gathers its signals for up to 100 ms.
    static let interval = Duration.milliseconds(20)
    /// Seconds. VLC ignores the start time if it starts paused.
    static let tolerance = 2.0

    struct Tools {
        let program: BundleID
        let entry: String
        let executable: String
        let environment: [String: String]
        let home: HomeFile
        let offLoop: OffLoop
        let loop: BusLoop
    }

    /// Called once: true as soon as the program shows the activity.
    var settled: (Result<Bool, BusFailure>) -> Void = { _ in }

    private let state: ProgramState
    private let tools: Tools
    private let bus: BusConnection?
    private var names: PlayerNames?
    private var player: FollowedPlayer?
    private var timer: LoopWatch?
    private var question: LoopWatch?
    private(set) var isSettled = false
    private var isChecking = false

    init(_ state: ProgramState, _ tools: Tools, _ bus: BusConnection?) {
        self.state = state
        self.tools = tools
        self.bus = bus
    }

    private func settle(_ result: Result<Bool, BusFailure>) {
        guard !isSettled else { return }
        isSettled = true
        settled(result)
    }

    func start() {
        switch state.source {
        case .page(let url): open(url)
        case .homeFile(let path, let bytes):
            let look = { @Sendable [home = tools.home] () -> Result<String, BusFailure>? in
                do throws(BusFailure) { return .success(try home.file(path, bytes: bytes)) } catch {
                    return .failure(error)
                }
            }
            tools.offLoop.run(look) { [weak self] found in
                switch found {
                case .success(let file): self?.open(file)
                case .failure(let failure): self?.settle(.failure(failure))
                case nil: self?.settle(.failure(.didNotStart("the home folder does not answer")))
                }
            }
        }
    }

    private func open(_ target: String) {
        guard let arguments = PlayerCommand.arguments(of: tools.entry, opening: target, state) else {
            return settle(.failure(.didNotStart("Handoff does not know how to open something in \(tools.entry)")))
        }
        do throws(SystemError) {
            watch(
                try SpawnedProcess(
                    executable: tools.executable, arguments: [tools.executable] + arguments,
                    environment: SessionEnvironment.forOpening(tools.environment),
                    directory: tools.environment["HOME"] ?? "/", output: 1))
        } catch {
            settle(.failure(.didNotStart("\(tools.entry) could not be started: \(error.reason)")))
        }
    }

    private func watch(_ process: SpawnedProcess) {
        timer = tools.loop.after(Self.proof) { [unowned self] in settle(.success(true)) }
        if let bus {
            names = try? PlayerNames(on: bus, appeared: { [unowned self] in appeared($0, of: process) }, left: { _ in })
        }
        let entry = tools.entry
        let hasThread = tools.loop.runOnThread({ process.waitForStatus() }) { [weak self] status in
            let code = status.map { $0 & 0x7f == 0 ? "code \(($0 >> 8) & 0xff)" : "signal \($0 & 0x7f)" }
            self?.settle(.failure(.didNotStart("\(entry) ended at once with \(code ?? "an unknown code")")))
        }
        if !hasThread { settle(.success(true)) }
    }

    private func appeared(_ name: PlayerName, of process: SpawnedProcess) {
        bus?.process(behind: name.text) { [weak self] result in
            guard let self, let bus, player == nil, case .success(let peer) = result, peer.processID == process.id
            else {
                return
            }
            let player = FollowedPlayer(
                name, of: tools.program, home: tools.home, offLoop: tools.offLoop, on: tools.loop)
            player.changed = { [weak self] media, playing in
                guard let self, !isChecking, media != nil, playing == (state.isPlaying ? .playing : .paused) else {
                    return
                }
                check(again: true)
            }
            self.player = player
            try? player.follow(on: bus)
            ask()
        }
    }

    private func ask() {
        question =
            isSettled
            ? nil
            : tools.loop.after(Self.interval) { [unowned self] in
                player?.readAll()
                ask()
            }
    }

    /// Moves the player if it is elsewhere. If it does not move, as VLC at first, its next signal leads here again.
    private func check(again: Bool) {
        guard let place = state.seconds, let player else { return settle(.success(true)) }
        isChecking = true
        player.position { [weak self] seconds in
            self?.isChecking = false
            guard let seconds, abs(seconds - place) > Self.tolerance else { return self?.settle(.success(true)) ?? () }
            guard again else { return }
            self?.isChecking = true
            player.move(to: place) { self?.check(again: false) }
        }
    }
}

extension BusFailure {
    fileprivate static func didNotStart(_ sentence: String) -> BusFailure {
        BusFailure("org.handoff.Error.AppDidNotStart", sentence)
    }
}
