// SPDX-License-Identifier: Apache-2.0

import HandoffWire

/// For places that cannot show the outcome: a search, or the tray.
final class ActivityContinuing {
    typealias Choice = DesktopContinuation.Choice

    /// Not called if the user has chosen another activity since.
    var failed: (Failure, Choice) -> Void = { failure, _ in Complaint.say("could not continue: \(failure.code)")
    }

    private let continuation: DesktopContinuation

    init(_ continuation: DesktopContinuation) { self.continuation = continuation }

    func start(_ choice: Choice) {
        continuation.start(choice) { [weak self] result in
            guard case .failure(let failure) = result, failure.code != .cancelled else { return }
            self?.failed(failure, choice)
        }
    }
}
