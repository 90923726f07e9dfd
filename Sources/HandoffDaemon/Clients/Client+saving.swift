// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

struct SavedAnswer {
    let state: ActivityState
    let saving: Duration
    let files: [SavedFile]
}

extension Client {
    /// `answer`: to `.save`. `who`: names the client in the message about an unexpected answer.
    func saved(_ answer: Result<LocalMessage, Failure>, who: String = "the app") -> Result<SavedAnswer, Failure> {
        answer.flatMap { message in
            // It was trusted when it was asked.
            guard team != nil else {
                return .failure(Failure(.activityGone, "the activity is no longer offered"))
            }
            guard case .advertising(.saved(let state, let saving, let files)) = message else {
                return .failure(Failure(.malformed, "\(who) sent an unexpected answer"))
            }
            return .success(SavedAnswer(state: state, saving: saving, files: files))
        }
    }
}
