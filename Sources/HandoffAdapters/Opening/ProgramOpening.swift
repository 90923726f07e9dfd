// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffWire

/// Registers with the token of its start, opens each activity that arrives, and ends.
final class ProgramOpening {
    /// From the start of this process to the first activity.
    static let patience = Duration.seconds(60)
    /// Another activity would be lost if it arrived during the end of this process.
    static let farewell = Duration.seconds(10)
    /// Activities that are being opened. A device continues one at a time.
    static let jobs = 4

    private let tools: OpenedProgram.Tools
    private let loop: BusLoop
    private let connector: BusConnector
    private let participant: ProgramParticipant
    private var bus: BusConnection?
    private var opened: [OpenedProgram] = []
    private var timer: LoopWatch?

    /// `templates`: as in the program's description; empty for a known program. Throws if unusable, or if the daemon
    /// did not start this process.
    init(
        entry: String, executable: String, templates: [String], environment: [String: String], address: String,
        on loop: BusLoop
    ) throws(BusFailure) {
        guard let program = try? BundleID(systemProgram: entry), let way = Self.way(program, templates),
            let token = environment[Locations.launchTokenVariable]
        else {
            throw BusFailure(BusFailure.invalidArguments, "handoffd starts this, with a program that it knows")
        }
        self.loop = loop
        participant = ProgramParticipant(program, options: ["launch-token": .string(token)], to: address, on: loop)
        tools = OpenedProgram.Tools(
            entry: entry, way: way, executable: executable, environment: environment,
            home: HomeFile(environment: environment), offLoop: OffLoop(loop), loop: loop, participant: participant)
        connector = BusConnector(to: address, on: loop)
        connector.connected = { [unowned self] in bus = $0 }
        participant.refused = { [unowned self] failure in end("cannot take part: \(failure.sentence)") }
        participant.failed = { [unowned self] in armEnd(after: Self.farewell) }
        participant.arrived = { [unowned self] in arrived($0, $1) }
    }

    private static func way(_ program: BundleID, _ templates: [String]) -> OpeningWay? {
        templates.isEmpty
            ? KnownProgram.of(program).map(OpeningWay.known)
            : (try? OpeningArguments(templates)).map(OpeningWay.described)
    }

    func start() {
        armEnd(after: Self.patience)
        connector.start()
        participant.start()
    }

    private func end(_ problem: String?) {
        if let problem { Complaint.say(problem) }
        loop.exit(problem == nil ? 0 : 1)
    }

    /// Unless something is being opened.
    private func armEnd(after time: Duration) {
        timer =
            opened.isEmpty
            ? loop.after(time) { [unowned self] in participant.leave { [unowned self] in end(nil) } } : nil
    }

    private func cleanUp() {
        // Not within a callback of the program.
        timer = loop.after(.zero) { [unowned self] in
            opened.removeAll { $0.isSettled && !$0.isBusy }
            armEnd(after: Self.farewell)
        }
    }

    private func arrived(
        _ arrival: ProgramParticipant.Arrival, _ answer: @escaping (Result<Bool, BusFailure>) -> Void
    ) {
        guard opened.count < Self.jobs else {
            return answer(.failure(BusFailure(BusFailure.limitsExceeded, "too many activities are being opened")))
        }
        do throws(BusFailure) {
            let program = try OpenedProgram(arrival, tools, bus)
            opened.append(program)
            timer = nil
            program.settled = { [unowned self] result in
                answer(result)
                cleanUp()
            }
            program.ended = { [unowned self] in cleanUp() }
            program.start()
        } catch {
            answer(.failure(error))
        }
    }
}
