// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import HandoffClient
package import HandoffWire
internal import Synchronization

// The receiver's side: the user accepted here.

extension ActivityCenter {
    func willContinue(_ continuation: ContinuationID, type: ActivityType, ticket: AnswerTicket?) {
        let handler = state.withLock { state in
            state.handler.flatMap { state.continuations.announced(continuation, type: type) ? $0 : nil }
        }
        guard let handler else {
            return answer(ticket, .failure(Failure(.notAllowed, "this app does not go on with activities")))
        }
        handler.willContinue(type.name) { accepted in self.answer(ticket, .done(accepted: accepted)) }
    }

    func continueActivity(_ continuation: ContinuationID, _ activityState: ActivityState, ticket: AnswerTicket?) {
        let (type, handler) = state.withLock { ($0.continuations.ended(continuation), $0.handler) }
        guard let type, let handler else {
            return answer(ticket, .failure(Failure(.malformed, "no such continuation was announced")))
        }
        do throws(Failure) {
            guard activityState.type == type else {
                throw Failure(.malformed, "another type of activity arrived than was announced")
            }
            let content = try ActivityContent(activityState)
            let activity = NSUserActivity(type: type, content: content, center: self)
            handler.continueActivity(activity) { handled in self.answer(ticket, .done(accepted: handled)) }
        } catch {
            handler.didFail(type.name, error: error.cocoaError)
            answer(ticket, .failure(error))
        }
    }

    func didFail(_ continuation: ContinuationID, _ failure: Failure) {
        let (type, handler) = state.withLock { ($0.continuations.ended(continuation), $0.handler) }
        if let type { handler?.didFail(type.name, error: failure.cocoaError) }
    }
}

extension Failure {
    /// As an app sees it: a code of Apple's, with our reason in the description.
    package var cocoaError: CocoaError {
        let sentence =
            code == .cancelled
            ? "The continuation of the activity was cancelled." : "The activity could not be continued: \(description)."
        return CocoaError(
            CocoaError.Code(rawValue: cocoaErrorCode),
            userInfo: [NSLocalizedDescriptionKey: sentence, NSLocalizedFailureReasonErrorKey: description])
    }
}
