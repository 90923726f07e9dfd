// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

extension WorkLane {
    /// Does `job` beside the loop. One of the two is called, once, on the loop; `failed` perhaps before this returns, where
    /// too much waits already. After `cancel` neither is.
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
