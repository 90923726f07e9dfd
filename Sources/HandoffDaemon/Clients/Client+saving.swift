// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// What an app that was asked to save has given.
struct SavedAnswer {
    let state: ActivityState
    /// How long that took it.
    let saving: Duration
    let files: [SavedFile]
}

extension Client {
    /// `answer`: to `.save`. `who`: for whoever is told that it was another one.
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
