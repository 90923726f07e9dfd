// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// Runs one job per folder, each in its own lane, so that a hung file system does not delay the others.
final class FolderRound<Outcome: Sendable> {
    private var outcomes: [Result<Outcome, Failure>]
    private var left: Int
    private var then: (([Result<Outcome, Failure>]) -> Void)?
    private var alarm: (any Alarm)?

    /// `then` is called once, on the loop, perhaps before this returns, with the results in the order of the jobs. A
    /// job that has not ended within `patience` fails with `.documentGone`; if too many jobs wait, with
    /// `.limitReached`.
    static func begin(
        _ jobs: [@Sendable () -> Outcome], on work: any Work, patience: Duration, time: any TimeSource,
        then: @escaping ([Result<Outcome, Failure>]) -> Void
    ) {
        FolderRound(count: jobs.count, then: then).begin(jobs, on: work, patience: patience, time: time)
    }

    private init(count: Int, then: @escaping ([Result<Outcome, Failure>]) -> Void) {
        let silence = Failure(.documentGone, "its file system does not respond")
        outcomes = Array(repeating: .failure(silence), count: count)
        left = count
        self.then = then
    }

    private func begin(
        _ jobs: [@Sendable () -> Outcome], on work: any Work, patience: Duration, time: any TimeSource
    ) {
        guard !jobs.isEmpty else { return end() }
        // The alarm keeps this object alive until the end, as the jobs do.
        alarm = time.makeAlarm { self.end() }
        alarm?.set(time.now.advanced(by: patience))
        for (number, job) in jobs.enumerated() {
            do throws(Failure) {
                try work.makeLane().run(job) { self.ended(number, .success($0)) }
            } catch {
                ended(number, .failure(error))
            }
        }
    }

    private func ended(_ number: Int, _ outcome: Result<Outcome, Failure>) {
        guard then != nil else { return }
        outcomes[number] = outcome
        left -= 1
        if left == 0 { end() }
    }

    private func end() {
        alarm?.set(nil)
        alarm = nil
        let then = self.then.take()
        then?(outcomes)
    }
}
