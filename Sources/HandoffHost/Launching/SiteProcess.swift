// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSiteMessages
internal import HandoffSystem
internal import HandoffWire

final class SiteProcess: Sendable {
    private enum Course {
        case notStarted
        case running(SpawnedProcess)
        case ended
    }

    private let program: String
    private let time: Duration
    private let course = Lock(Course.notStarted)

    init(program: String, time: Duration) {
        self.program = program
        self.time = time
    }

    /// From any thread.
    func end() {
        course.withLock { course in
            if case .running(let process) = course { process.kill() }
            course = .ended
        }
    }

    /// Blocks. Call once.
    func answer(to order: SiteOrder) -> Result<SiteReport, SiteFailure> {
        let deadline = ContinuousClock.now + time
        do throws(SystemError) {
            let (input, output) = (try ProgramPipe(), try ProgramPipe())
            let process = try SpawnedProcess(
                executable: program, arguments: [program], environment: [:], directory: "/", input: input.reading,
                output: output.writing, errors: nil)
            guard isWanted(process) else { return .failure(.notAsked("the answer is no longer needed")) }
            input.closeReading()
            output.closeWriting()
            // Does not block: an order fits into an empty pipe.
            let isGiven = input.write(order.encoded)
            input.closeWriting()
            let report = isGiven ? output.readAll(limit: Self.reportBytes(order), until: deadline) : .some([])
            let exit = reap(process)
            guard let report else { return .failure(SiteFailure(.timedOut, "it did not answer in time")) }
            return SiteReport(report).map { .success($0) }
                ?? .failure(.notAsked("\(SiteProgram.name) \(exit.explanation)"))
        } catch {
            return .failure(.notAsked("\(program): \(error.reason)"))
        }
    }

    private static func reportBytes(_ order: SiteOrder) -> Int { Int(order.fileBytes) + SiteReport.bytesAroundBody }

    private func isWanted(_ process: SpawnedProcess) -> Bool {
        let isWanted = course.withLock { course in
            guard case .notStarted = course else { return false }
            course = .running(process)
            return true
        }
        if !isWanted {
            process.kill()
            _ = process.wait()
        }
        return isWanted
    }

    /// A process that has exited keeps its status.
    private func reap(_ process: SpawnedProcess) -> AppExit {
        process.kill()
        // From here on the process's number may be reused.
        course.withLock { $0 = .ended }
        return process.wait()
    }
}

extension SiteFailure {
    /// The fault is here, so nothing is known about the site.
    static func notAsked(_ reason: String) -> SiteFailure {
        SiteFailure(
            .unreachable, DisplayText(cleaning: "it cannot be asked: \(reason)", limit: Limits.reasonCharacters).text)
    }
}

extension AppExit {
    fileprivate var explanation: String {
        switch self {
        case .exited(let code): "ended without a report (\(code))"
        case .signalled(let signal): "crashed (signal \(signal))"
        case .notStarted(let reason): reason
        }
    }
}
