// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffCore
import HandoffSystem
import HandoffWire

/// The program is a new process, unless it hands the activity to a running process.
final class OpenedProgram {
    /// Until a program with a name on the bus must have shown the activity, or a described program must have ended if it
    /// fails. Afterwards, it is believed if it still runs.
    static let proof = Duration.seconds(5)
    /// Less than the daemon waits for an answer.
    static let fetchTime = Duration.seconds(7)
    /// Until a page must have begun to play to be moved to its place. A browser may wait for the user's permission.
    static let pageTime = Duration.seconds(60)
    static let pageInterval = Duration.milliseconds(400)
    /// Between two questions; mpv gathers its signals for up to 100 ms.
    static let interval = Duration.milliseconds(20)
    static let questionsPerCorrection = 20
    /// Seconds. VLC ignores the start time if it starts paused.
    static let tolerance = 2.0

    struct Tools {
        /// The identifier of its desktop entry.
        let entry: String
        let way: OpeningWay
        let executable: String
        let environment: [String: String]
        let home: HomeFile
        let offLoop: OffLoop
        let loop: BusLoop
        let participant: ProgramParticipant
    }

    /// Called once: true as soon as the program shows the activity.
    var settled: (Result<Bool, BusFailure>) -> Void = { _ in }

    private let arrival: ProgramParticipant.Arrival
    /// Nil: a described program reads other values.
    private let state: ProgramState?
    private let tools: Tools
    private let bus: BusConnection?
    private var names: ProgramNames?
    /// Programs that may show the activity, and when each is asked again.
    private var instances: [InstanceName: (program: any FollowedProgram, question: LoopWatch?)] = [:]
    private var timer: LoopWatch?
    private(set) var isSettled = false
    /// A file is being fetched, or a page is being waited for, although the activity may be settled.
    var isBusy: Bool { fetch != nil || pageEnd != nil }
    private var fetch: FileFetch?
    private var pageEnd: LoopWatch?
    /// Under another path than at the origin.
    private var isElsewhere = false
    /// Called when `isBusy` ends.
    var ended: () -> Void = {}
    /// Questions to which a player answered that it is elsewhere.
    private var corrections = 0

    /// Throws a sentence about the state.
    init(_ arrival: ProgramParticipant.Arrival, _ tools: Tools, _ bus: BusConnection?) throws(BusFailure) {
        self.arrival = arrival
        switch tools.way {
        case .described where !ProgramState.isIn(arrival.properties): state = nil
        case .described, .known: state = try ProgramState(arrival.properties)
        }
        self.tools = tools
        self.bus = bus
    }

    private func settle(_ result: Result<Bool, BusFailure>) {
        guard !isSettled else { return }
        isSettled = true
        if case .failure = result { pageEnd = nil }
        settled(result)
    }

    func start() {
        switch state?.source {
        case nil: open(nil)
        case .page(let url)?: open(url)
        case .message(let id)?: open("mid:" + id)
        case .point(let point)?: open(point.url)
        case .homeFile(let path, let content, let place)?:
            let anywhere = tools.way.mayOpenElsewhere
            look { home throws(BusFailure) in try home.file(path, content, at: place, anywhere: anywhere) }
        case .homeFolder(let path, let place)?: look { home throws(BusFailure) in try home.folder(path, at: place) }
        }
    }

    private func look(_ find: @escaping @Sendable (HomeFile) throws(BusFailure) -> HomeFile.Found) {
        let look = { @Sendable [home = tools.home] () -> Result<HomeFile.Found, BusFailure>? in
            do throws(BusFailure) { return .success(try find(home)) } catch { return .failure(error) }
        }
        tools.offLoop.run(look) { [weak self] found in
            switch found {
            case .success(let found):
                self?.isElsewhere = found.isElsewhere
                self?.open(found.path)
            case .failure(let failure): self?.fetch(unless: failure)
            case nil: self?.settle(.failure(.didNotStart("the home folder does not answer")))
            }
        }
    }

    /// The origin shows the activity as continued once the file arrives, at the latest after `fetchTime`.
    private func fetch(unless failure: BusFailure) {
        guard case .homeFile(let path, let content, _)? = state?.source, failure.name == HomeFile.missing,
            arrival.properties["supports-streams"]?.flag == true
        else { return settle(.failure(failure)) }
        timer = tools.loop.after(Self.fetchTime) { [unowned self] in settle(.success(true)) }
        let fetch = FileFetch(path, bytes: content.bytes, of: arrival, tools, bus)
        self.fetch = fetch
        fetch.start { [unowned self] in endFetch($0) }
    }

    private func endFetch(_ result: Result<String, BusFailure>) {
        timer = nil
        switch result {
        case .success(let file):
            fetch = nil
            isElsewhere = true
            open(file)
            ended()
        case .failure(let failure) where isSettled:
            fetch?.explain(failure) { [unowned self] in
                fetch = nil
                ended()
            }
        case .failure(let failure):
            fetch = nil
            settle(.failure(failure))
            ended()
        }
    }

    private func open(_ target: String?) {
        let command: OpeningCommand
        do throws(BusFailure) {
            command = try tools.way.command(
                tools.entry, tools.executable, opening: target, state,
                arrival.properties["user-info"]?.properties ?? [:])
        } catch {
            return settle(.failure(error))
        }
        do throws(SystemError) {
            watch(
                try SpawnedProcess(
                    executable: command.words[0], arguments: command.words,
                    environment: SessionEnvironment.forOpening(tools.environment),
                    directory: command.folder ?? tools.environment["HOME"] ?? "/", output: 1))
        } catch {
            settle(.failure(.didNotStart("\(tools.entry) could not be started: \(error.reason)")))
        }
    }

    private func watch(_ process: SpawnedProcess) {
        let interface = tools.way.interface
        timer = tools.loop.after(interface == nil ? tools.way.start : Self.proof) { [unowned self] in
            settle(.success(true))
        }
        if let bus, let interface {
            names = try? ProgramNames(
                of: interface, on: bus, appeared: { [unowned self] in appeared($0, of: process) },
                left: { [unowned self] in instances[$0] = nil })
        }
        if tools.way.browser != nil { pageEnd = tools.loop.after(Self.pageTime) { [unowned self] in endPage() } }
        let hasThread = tools.loop.runOnThread({ process.waitForStatus() }) { [weak self] status in
            guard let self else { return }
            if status == 0, tools.way.browser != nil { return }
            if status == 0, tools.way.handsOver { return settle(.success(true)) }
            let code = status.map { $0 & 0x7f == 0 ? "code \(($0 >> 8) & 0xff)" : "signal \($0 & 0x7f)" }
            settle(
                .failure(.didNotStart("\(tools.entry) ended at once with \(code ?? "an unknown code")")))
        }
        if !hasThread { settle(.success(true)) }
    }

    private func appeared(_ name: InstanceName, of process: SpawnedProcess) {
        bus?.process(behind: name.text) { [weak self] result in
            guard let self, let bus, case .success(let peer) = result, mayShow(peer, process) else { return }
            let tools = FollowTools(
                bus: bus, environment: tools.environment, home: tools.home, offLoop: tools.offLoop, loop: tools.loop)
            guard let program = try? self.tools.way.interface?.follow(name, tools) else { return }
            instances[name] = (program, nil)
            ask(name)
        }
    }

    private func mayShow(_ peer: BusPeer, _ started: SpawnedProcess) -> Bool {
        guard let browser = tools.way.browser else { return peer.processID == started.id && instances.isEmpty }
        guard peer.userID == geteuid(), let process = peer.processID else { return false }
        return ProgramName.of(process).map(browser.processes.contains) ?? false
    }

    private func ask(_ name: InstanceName) {
        guard !isSettled || pageEnd != nil else { return }
        instances[name]?.program.state { [weak self] shown in
            guard let self, let instance = instances[name] else { return }
            if let shown, let state, isElsewhere || shown.source.names(state.source) {
                if isThere(shown, state) {
                    settle(.success(true))
                    return endPage()
                }
                correct(instance.program, shown, to: state)
            }
            let interval = isSettled ? Self.pageInterval : Self.interval
            instances[name]?.question = tools.loop.after(interval) { [unowned self] in ask(name) }
        }
    }

    private func endPage() {
        guard pageEnd != nil else { return }
        pageEnd = nil
        ended()
    }

    private func isThere(_ shown: ProgramState, _ state: ProgramState) -> Bool {
        // A paused page of that address may have been there before.
        guard shown.isPlaying == (state.isPlaying || tools.way.browser != nil) else { return false }
        guard case .time(let wanted)? = state.place else { return state.place == nil || shown.place == state.place }
        guard case .time(let seconds)? = shown.place else { return false }
        return abs(seconds - wanted) <= Self.tolerance
    }

    private func correct(_ instance: any FollowedProgram, _ shown: ProgramState, to state: ProgramState) {
        guard let player = instance as? FollowedPlayer else { return }
        if tools.way.browser != nil, !shown.isPlaying || isElsewhere { return }
        // VLC ignores it while it opens the media.
        defer { corrections += 1 }
        guard isSettled || corrections % Self.questionsPerCorrection == 0 else { return }
        if tools.way.browser == nil, shown.isPlaying != state.isPlaying {
            guard shown.isPlaying, corrections > 0 else { return }
            // Celluloid always plays at first, so it is past the position, perhaps by less than the tolerance.
            if let seconds = state.seconds { player.move(to: seconds) }
            return player.wasContinued()
        }
        if let seconds = state.seconds { player.move(to: seconds) }
    }
}
