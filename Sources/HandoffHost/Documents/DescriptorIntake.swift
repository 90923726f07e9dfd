// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffSystem
package import HandoffWire

/// Open files from apps. Used only on the loop of `onLoop`.
package final class DescriptorIntake: FileIntake {
    private struct Expectation {
        let processID: Int32
        let deadline: Instant
        let then: (Bool) -> Void
    }

    private let files: HeldFiles<FileToken>
    private let time: any TimeSource
    private let onLoop: OnLoop
    private var expected: [FileToken: Expectation] = [:]
    private lazy var alarm = time.makeAlarm { [weak self] in self?.rang() }

    package init(_ files: HeldFiles<FileToken>, time: any TimeSource, onLoop: @escaping OnLoop) {
        self.files = files
        self.time = time
        self.onLoop = onLoop
    }

    package func expect(
        _ token: FileToken, of processID: Int32, within: Duration, then: @escaping (Bool) -> Void
    ) {
        guard expected[token] == nil else { return then(false) }
        // Used again only on the loop.
        nonisolated(unsafe) let intake = self
        let isHere = files.claim(token, of: processID) { [onLoop] in onLoop { intake.came(token) } }
        guard !isHere else { return then(true) }
        expected[token] = Expectation(processID: processID, deadline: time.now.advanced(by: within), then: then)
        setAlarm()
    }

    package func forget(_ token: FileToken) {
        expected[token] = nil
        files.forget(token)
        setAlarm()
    }

    package func forgetAll(of processID: Int32) {
        expected = expected.filter { $0.value.processID != processID }
        files.forgetAll(of: processID)
        setAlarm()
    }

    private func came(_ token: FileToken) {
        let expectation = expected.removeValue(forKey: token)
        setAlarm()
        expectation?.then(true)
    }

    private func rang() {
        let now = time.now
        let late = expected.filter { $0.value.deadline <= now }
        for token in late.keys { forget(token) }
        setAlarm()
        for expectation in late.values { expectation.then(false) }
    }

    private func setAlarm() { alarm.set(expected.values.map(\.deadline).min()) }
}
