// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire
internal import NIOCore

/// Reports the outcome once, at the deadline at the latest. A failure closes the connection.
final class ConnectionVerdict<Proof> {
    let channel: any Channel
    private var settled: ((Result<Proof, Failure>) -> Void)?
    private var deadline: Scheduled<Void>?

    init(on channel: any Channel, deadline: NIODeadline, settled: @escaping (Result<Proof, Failure>) -> Void) {
        self.channel = channel
        self.settled = settled
        self.deadline = channel.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
            self?.fail(Failure(.connectionUnavailable, "no answer within ten seconds"))
        }
    }

    var isSettled: Bool { settled == nil }

    /// Only the first call has an effect.
    func settle(_ result: Result<Proof, Failure>) {
        deadline?.cancel()
        deadline = nil
        let settled = settled
        self.settled = nil
        settled?(result)
    }

    func fail(_ failure: Failure) {
        settle(.failure(failure))
        channel.close(promise: nil)
    }
}
