// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

// The origin's side: the daemon requests the state.

extension ActivityCenter {
    private enum SaveStep {
        case send(ActivityContent)
        case runHook
        /// The running hook answers this request too.
        case wait
        case gone
    }

    func save(_ activity: ActivityID, within deadline: Duration, withFiles: Bool, for ticket: AnswerTicket) {
        let record = state.withLock { state in
            state.current?.id == activity && state.isKnown(activity) ? state.current : nil
        }
        let waiter = SaveWaiter(
            ticket: ticket, filesBy: withFiles ? environment.instant().advanced(by: deadline) : nil)
        let step = record?.state.withLock { state in
            if state.saving != nil {
                state.saving?.append(waiter)
                return SaveStep.wait
            }
            if state.isInvalidated || state.content.isExpired(at: environment.now()) { return .gone }
            guard state.content.needsSave else {
                state.isSaved = true
                return .send(state.content)
            }
            state.beginAsking()
            // Changes by the hook are part of the save.
            state.isSaved = false
            state.saving = [waiter]
            return .runHook
        }
        guard let record, let step else { return refuse(ticket) }
        switch step {
        case .send(let content):
            send(content, of: record, to: [waiter], saving: .zero)
        case .runHook:
            runHook(on: record.hooks) { self.runWillSave(of: record) }
            limit(waiter, of: record, to: deadline)
        case .wait:
            limit(waiter, of: record, to: deadline)
        case .gone:
            refuse(ticket)
        }
    }

    private func refuse(_ ticket: AnswerTicket) {
        answer(ticket, .failure(Failure(.activityGone, "the activity is no longer current")))
    }

    private func runWillSave(of record: ActivityRecord) {
        let started = ContinuousClock.now
        let (activity, delegate) = record.state.withLock { ($0.activity, $0.delegate) }
        guard let activity else { return finish(record, since: started) }
        record.happened(.willSave)
        delegate.value?.userActivityWillSave(activity)
        guard let handler = state.withLock({ $0.handler }) else { return finish(record, since: started) }
        handler.didUpdate(activity) { self.finish(record, since: started) }
    }

    private func finish(_ record: ActivityRecord, since started: ContinuousClock.Instant) {
        let (content, waiters) = record.state.withLock { state in
            defer { state.saving = nil }
            state.isSaved = true
            return (state.content, state.saving ?? [])
        }
        send(content, of: record, to: waiters, saving: started.duration(to: .now))
    }

    /// Answers each request once.
    private func limit(_ waiter: SaveWaiter, of record: ActivityRecord, to deadline: Duration) {
        environment.wait(deadline) { [weak self] in
            let isLate = record.state.withLock { state in
                guard let index = state.saving?.firstIndex(of: waiter) else { return false }
                state.saving?.remove(at: index)
                return true
            }
            if isLate {
                self?.answer(
                    waiter.ticket, .failure(Failure(.appTimedOut, "the app did not save the activity in time")))
            }
        }
    }

    private func send(_ content: ActivityContent, of record: ActivityRecord, to waiters: [SaveWaiter], saving: Duration)
    {
        guard !waiters.isEmpty else { return }
        let saved: ActivityState
        do throws(Failure) {
            saved = try content.state(of: record.type)
        } catch {
            return answer(waiters, .failure(error))
        }
        adviseOnSize(saved.userInfo.count, of: record)
        let urls = waiters.allSatisfy { $0.filesBy == nil } ? [] : content.fileURLs
        let hurried = waiters.filter { $0.filesBy == nil || urls.isEmpty }
        answer(hurried, .advertising(.saved(saved, saving: saving)))
        let patient = waiters.filter { !hurried.contains($0) }
        guard let deadline = patient.compactMap(\.filesBy).min() else { return }
        giveFiles(urls, by: deadline) { files in
            self.answer(patient, .advertising(.saved(saved, saving: saving, files: files)))
        }
    }

    private func answer(_ waiters: [SaveWaiter], _ message: LocalMessage) {
        guard let connection = state.withLock({ $0.connection }) else { return }
        for waiter in waiters where !connection.answer(waiter.ticket, message) {
            connection.answer(waiter.ticket, .failure(Failure(.payloadTooLarge, "the activity is too large to send")))
        }
    }

    private func adviseOnSize(_ bytes: Int, of record: ActivityRecord) {
        guard bytes > Limits.userInfoAdviceBytes else { return }
        let isFirst = record.state.withLock { state in
            defer { state.isAdvisedOnSize = true }
            return !state.isAdvisedOnSize
        }
        guard isFirst else { return }
        environment.log(
            "a userInfo of \(bytes) bytes slows down continuing on the other device; keep it under "
                + "\(Limits.userInfoAdviceBytes) bytes")
    }

    // MARK: After continuing

    func wasContinued(_ activity: ActivityID) {
        guard let record = state.withLock({ $0.records[activity] }) else { return }
        runHook(on: record.hooks) {
            let (activity, delegate) = record.state.withLock { ($0.activity, $0.delegate) }
            record.happened(.wasContinued)
            if let activity { delegate.value?.userActivityWasContinued(activity) }
        }
    }
}

extension Duration {
    /// Rounded up, so that no wait ends early.
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        let (nanoseconds, overflow) = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .never : .nanoseconds(nanoseconds + Int(attoseconds / 1_000_000_000) + 1)
    }
}
