// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Continues what a person chose where there is no place to say what became of it: in a search, or in the tray.
package final class ActivityContinuing {
    package typealias Choice = DesktopContinuation.Choice

    /// It did not go on here, and the person is to hear of it. Not where they chose another one meanwhile.
    package var failed: (Failure, Choice) -> Void = { failure, _ in Complaint.say("could not continue: \(failure.code)")
    }

    private let continuation: DesktopContinuation

    package init(_ continuation: DesktopContinuation) { self.continuation = continuation }

    package func start(_ choice: Choice) {
        continuation.start(choice) { [weak self] result in
            guard case .failure(let failure) = result, failure.code != .cancelled else { return }
            self?.failed(failure, choice)
        }
    }
}
