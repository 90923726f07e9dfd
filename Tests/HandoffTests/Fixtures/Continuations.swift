// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire

@testable import Handoff

/// A continuation as the daemon sends it to an app on a `Laptop`.
struct Continuation {
    let laptop: Laptop
    let id: ContinuationID
    let type: ActivityType

    init(_ number: UInt8 = 1, of type: String = "com.example.reader.reading", on laptop: Laptop) {
        self.laptop = laptop
        id = ContinuationID(uncheckedBytes: Array(repeating: number, count: 16))
        self.type = try! ActivityType(type)
    }

    func announce(from origin: String = "laptop") -> Mailbox<LocalMessage> {
        laptop.daemon.ask(.continuation(.willContinue(id, type: type, originName: DisplayText(cleaning: origin))))
    }

    func deliver(
        title: String = "Chapter 3", page: String? = nil, target: String? = nil
    ) -> Mailbox<LocalMessage> {
        let state = ActivityState(type: type, title: title, webpageURL: page, targetContentIdentifier: target)
        return laptop.daemon.ask(.continuation(.continueActivity(id, state)))
    }

    func fail(_ code: Failure.Code = .deviceLost) {
        laptop.daemon.send(.continuation(.didFail(id, type: type, Failure(code, "the other device is gone"))))
    }
}

/// Returns once all work queued for the main thread has run.
func mainThreadCaughtUp() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
}
