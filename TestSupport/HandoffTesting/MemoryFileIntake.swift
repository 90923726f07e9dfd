// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// A test delivers the files.
package final class MemoryFileIntake: FileIntake {
    private struct Expectation {
        let processID: Int32
        let deadline: Instant
        let then: (Bool) -> Void
    }

    private let time: any TimeSource
    private var expected: [FileToken: Expectation] = [:]
    private var held: [FileToken: Int32] = [:]
    private lazy var alarm = time.makeAlarm { [weak self] in self?.rang() }

    package init(time: any TimeSource) { self.time = time }

    package func arrive(_ token: FileToken, of processID: Int32) {
        guard held[token] == nil else { return }
        held[token] = processID
        guard let expectation = expected[token], expectation.processID == processID else { return }
        expected[token] = nil
        setAlarm()
        expectation.then(true)
    }

    package func isHeld(_ token: FileToken) -> Bool { held[token] != nil }

    package func expect(
        _ token: FileToken, of processID: Int32, within: Duration, then: @escaping (Bool) -> Void
    ) {
        guard expected[token] == nil else { return then(false) }
        guard held[token] != processID else { return then(true) }
        expected[token] = Expectation(processID: processID, deadline: time.now.advanced(by: within), then: then)
        setAlarm()
    }

    package func forget(_ token: FileToken) {
        (expected[token], held[token]) = (nil, nil)
        setAlarm()
    }

    package func forgetAll(of processID: Int32) {
        expected = expected.filter { $0.value.processID != processID }
        held = held.filter { $0.value != processID }
        setAlarm()
    }

    private func rang() {
        let now = time.now
        let late = expected.filter { $0.value.deadline <= now }
        for token in late.keys { forget(token) }
        for expectation in late.values { expectation.then(false) }
    }

    private func setAlarm() { alarm.set(expected.values.map(\.deadline).min()) }
}
