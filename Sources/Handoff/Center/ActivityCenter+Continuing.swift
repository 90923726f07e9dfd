// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import HandoffClient
internal import HandoffSystem
package import HandoffWire

// The receiver's side.

extension ActivityCenter {
    func willContinue(_ notice: ContinuationNotice, ticket: AnswerTicket?) {
        let handler = state.withLock { state in
            state.handler.flatMap { state.continuations.announced(notice) ? $0 : nil }
        }
        guard let handler else {
            return answer(ticket, .failure(Failure(.notAllowed, "this app does not continue activities")))
        }
        handler.willContinue(notice) { answer in
            switch answer {
            case .hook(let accepted):
                self.answer(ticket, .done(accepted: accepted))
            case .declined(let reason):
                // The app was not notified, so the daemon's didFail that follows must not reach it.
                _ = self.state.withLock { $0.continuations.ended(notice.id) }
                self.answer(ticket, .failure(Failure(.notAllowed, reason)))
            }
        }
    }

    func continueActivity(
        _ continuation: ContinuationID, _ activityState: ActivityState, _ documents: [DeliveredDocument],
        ticket: AnswerTicket?
    ) {
        let (notice, handler) = state.withLock { ($0.continuations.ended(continuation), $0.handler) }
        guard let notice, let handler else {
            return answer(ticket, .failure(Failure(.malformed, "no such continuation was announced")))
        }
        do throws(Failure) {
            guard activityState.type.name == notice.activityType else {
                throw Failure(.malformed, "the activity's type differs from the announced type")
            }
            let content = try ActivityContent(activityState)
            let activity = NSUserActivity(type: activityState.type, content: content, center: self)
            let places = Set(documents.compactMap(\.path).map { FilePlace($0) })
            activity.record.state.withLock { ($0.continuation, $0.delivered) = (continuation, places) }
            let notes = deliver(documents)
            if !notes.isEmpty { handler.noted(notes, of: notice) }
            handler.continueActivity(activity, of: notice) { handled in self.answer(ticket, .done(accepted: handled)) }
        } catch {
            handler.didFail(notice, error: error.cocoaError)
            answer(ticket, .failure(error))
        }
    }

    func didFail(_ continuation: ContinuationID, _ failure: Failure) {
        let (notice, handler) = state.withLock { ($0.continuations.ended(continuation), $0.handler) }
        if let notice { handler?.didFail(notice, error: failure.cocoaError) }
    }
}

extension Failure {
    /// Apple's error code, with our reason in the description.
    package var cocoaError: CocoaError {
        let sentence =
            code == .cancelled
            ? "The continuation of the activity was cancelled." : "The activity could not be continued: \(description)."
        return CocoaError(
            CocoaError.Code(rawValue: cocoaErrorCode),
            userInfo: [NSLocalizedDescriptionKey: sentence, NSLocalizedFailureReasonErrorKey: description])
    }
}
