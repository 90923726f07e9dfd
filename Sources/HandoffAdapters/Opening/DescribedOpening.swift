// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffSystem
import HandoffWire

/// Opens activities in a program that only a description file makes known: registers with the token of its start, starts the
/// program for each activity that arrives, and ends.
final class DescribedOpening {
    /// A program that still runs shows the activity. One that hands it over to a running program ends earlier.
    static let proof = Duration.seconds(5)

    private let entry: String
    private let executable: String
    private let arguments: OpeningArguments
    private let environment: [String: String]
    private let loop: BusLoop
    private let offLoop: OffLoop
    private let participant: ProgramParticipant
    private var timer: LoopWatch?
    private var jobs: [Job] = []

    /// `templates`: as in the description. Throws if they are unusable, or if the daemon did not start this process.
    init(
        entry: String, executable: String, templates: [String], environment: [String: String], address: String,
        on loop: BusLoop
    ) throws(BusFailure) {
        guard let program = try? BundleID(systemProgram: entry), let arguments = try? OpeningArguments(templates),
            let token = environment[Locations.launchTokenVariable]
        else {
            throw BusFailure(BusFailure.invalidArguments, "handoffd starts this, with a program that it knows")
        }
        (self.entry, self.executable, self.arguments) = (entry, executable, arguments)
        (self.environment, self.loop) = (environment, loop)
        offLoop = OffLoop(loop)
        participant = ProgramParticipant(program, options: ["launch-token": .string(token)], to: address, on: loop)
        participant.refused = { failure in
            Complaint.say("cannot take part: \(failure.sentence)")
            loop.exit(1)
        }
        participant.failed = { [unowned self] in armEnd(after: ProgramOpening.farewell) }
        participant.arrived = { [unowned self] in arrived($0.properties, $1) }
    }

    func start() {
        armEnd(after: ProgramOpening.patience)
        participant.start()
    }

    /// Unless something is being opened.
    private func armEnd(after time: Duration) {
        timer =
            jobs.isEmpty
            ? loop.after(time) { [unowned self] in participant.leave { [loop] in loop.exit(0) } } : nil
    }

    private func arrived(_ properties: [String: BusValue], _ answer: @escaping (Result<Bool, BusFailure>) -> Void) {
        guard jobs.count < ProgramOpening.jobs else {
            return answer(.failure(BusFailure(BusFailure.limitsExceeded, "too many activities are being opened")))
        }
        let job = Job()
        jobs.append(job)
        timer = nil
        job.settled = { [unowned self] result in
            answer(result)
            // Not within a callback of the job.
            timer = loop.after(.zero) { [unowned self] in
                jobs.removeAll(where: \.isSettled)
                armEnd(after: ProgramOpening.farewell)
            }
        }
        let values = properties["user-info"]?.properties ?? [:]
        guard Self.targets.contains(where: { values[$0] != nil }) else { return open(nil, values, job) }
        do throws(BusFailure) {
            switch try ProgramState(properties).source {
            case .page(let url): open(url, values, job)
            case .homeFile(let path, let bytes):
                look(values, job) { home throws(BusFailure) in try home.file(path, bytes: bytes) }
            case .homeFolder(let path): look(values, job) { home throws(BusFailure) in try home.folder(path) }
            }
        } catch {
            job.settle(.failure(error))
        }
    }

    /// The keys of a state that name a page, a file or a folder.
    private static let targets = ["uri", "home-path", "home-folder"]

    private func look(
        _ values: [String: BusValue], _ job: Job, _ find: @escaping @Sendable (HomeFile) throws(BusFailure) -> String
    ) {
        let look = { @Sendable [home = HomeFile(environment: environment)] () -> Result<String, BusFailure>? in
            do throws(BusFailure) { return .success(try find(home)) } catch { return .failure(error) }
        }
        offLoop.run(look) { [weak self] found in
            switch found {
            case .success(let path): self?.open(path, values, job)
            case .failure(let failure): job.settle(.failure(failure))
            case nil: job.settle(.failure(.didNotStart("the home folder does not answer")))
            }
        }
    }

    private func open(_ target: String?, _ values: [String: BusValue], _ job: Job) {
        let filled: [String]
        do throws(OpeningArguments.Problem) {
            filled = try arguments.filled { $0 == "target" ? target : values[$0]?.asArgument }
        } catch {
            return job.settle(.failure(.didNotStart("\(entry) cannot open the activity, which has \(error.reason)")))
        }
        do throws(SystemError) {
            let process = try SpawnedProcess(
                executable: executable, arguments: [executable] + filled,
                environment: SessionEnvironment.forOpening(environment), directory: environment["HOME"] ?? "/",
                output: 1)
            watch(process, job)
        } catch {
            job.settle(.failure(.didNotStart("\(entry) could not be started: \(error.reason)")))
        }
    }

    private func watch(_ process: SpawnedProcess, _ job: Job) {
        job.timer = loop.after(Self.proof) { [unowned job] in job.settle(.success(true)) }
        let entry = entry
        let hasThread = loop.runOnThread({ process.waitForStatus() }) { status in
            if status == 0 { return job.settle(.success(true)) }
            let code = status.map { $0 & 0x7f == 0 ? "code \(($0 >> 8) & 0xff)" : "signal \($0 & 0x7f)" }
            job.settle(.failure(.didNotStart("\(entry) ended at once with \(code ?? "an unknown code")")))
        }
        if !hasThread { job.settle(.success(true)) }
    }

    /// One activity that is being opened.
    private final class Job {
        var settled: (Result<Bool, BusFailure>) -> Void = { _ in }
        var timer: LoopWatch?
        private(set) var isSettled = false

        /// Calls `settled` once.
        func settle(_ result: Result<Bool, BusFailure>) {
            guard !isSettled else { return }
            isSettled = true
            settled(result)
        }
    }
}

extension BusValue {
    /// Nil for containers, and for numbers that are not finite.
    fileprivate var asArgument: String? {
        switch unwrapped {
        case .string(let text): text
        case .boolean(let flag): flag ? "true" : "false"
        case .double(let number): number.isFinite ? "\(number)" : nil
        default: integer.map(String.init)
        }
    }
}

extension BusFailure {
    fileprivate static func didNotStart(_ sentence: String) -> BusFailure {
        BusFailure("org.handoff.Error.AppDidNotStart", sentence)
    }
}
