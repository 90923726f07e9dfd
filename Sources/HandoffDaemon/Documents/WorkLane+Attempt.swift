// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

extension WorkLane {
    /// Runs `job` off the loop, and calls `then` or `failed` once, on the loop; neither after `cancel`. `failed` may
    /// precede the return, if too many jobs wait.
    func attempt<Value: Sendable>(
        _ job: @escaping @Sendable () throws(Failure) -> Value, failed: @escaping (Failure) -> Void,
        then: @escaping (Value) -> Void
    ) {
        do throws(Failure) {
            try run({ Result(catching: job) }) { (result: Result<Value, Failure>) in
                switch result {
                case .success(let value): then(value)
                case .failure(let failure): failed(failure)
                }
            }
        } catch {
            failed(error)
        }
    }
}
