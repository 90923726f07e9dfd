// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import HandoffClient
internal import HandoffSystem
package import HandoffWire

extension ActivityCenter: DaemonConnectionEvents {
    package func hello() -> LocalHello {
        state.withLock { state in
            let receives = state.handler != nil
            // The token identifies this process as the receiver, and is valid once.
            return LocalHello(
                role: .app, bundle: environment.bundle,
                name: DisplayText(cleaning: environment.name, limit: Limits.nameCharacters),
                launchToken: receives ? state.launchToken : nil, receives: receives)
        }
    }

    package func connected(_ welcome: Welcome) {
        readStoredDeletions()
        let receives = state.withLock { state in
            state.isConnected = true
            state.isOutageLogged = false
            (state.published, state.withheld) = (nil, nil)
            state.pace = PublishingPace()
            if state.handler != nil { state.launchToken = nil }
            // Before anything newer.
            sendDeletions(&state)
            sendToIndex(&state)
            askForContainers(&state)
            publish(&state)
            // A published activity replaces it automatically.
            if let left = state.left.take(), state.published == nil {
                state.connection?.send(.advertising(.withdraw(left)))
            }
            return state.handler != nil
        }
        if receives, environment.bundle != nil, !welcome.isRegistered {
            environment.log("this app is not installed (handoff app install), so nothing can be continued in it")
        }
    }

    package func disconnected(_ failure: Failure) {
        let (lost, handler, pairs) = state.withLock { state in
            state.isConnected = false
            state.left = state.published?.activity ?? state.left
            state.published = nil
            defer { state.streams = [:] }
            return (state.continuations.lostAll(), state.handler, state.streams.values.compactMap(\.pair))
        }
        containersAreNotToBeHad()
        for notice in lost { handler?.didFail(notice, error: Failure.lineLost.cocoaError) }
        for pair in pairs { pair.lineLost(.lineLost) }
    }

    package func unavailable(_ failure: Failure) {
        let isNews = state.withLock { state in
            defer { state.isOutageLogged = true }
            return !state.isOutageLogged
        }
        daemonIsNotThere()
        containersAreNotToBeHad()
        if isNews { environment.log("\(failure); activities are offered once it runs") }
    }

    package func woken() {
        state.withLock { publish(&$0) }
    }

    package func received(_ message: LocalMessage, ticket: AnswerTicket?) {
        switch message {
        case .advertising(.save(let activity, let deadline, let withFiles)):
            guard let ticket else { break }
            lookAtFiles(of: activity, within: deadline) {
                self.save(activity, within: deadline, withFiles: withFiles, for: ticket)
            }
        case .continuation(.wasContinued(let activity, _)):
            wasContinued(activity)
        case .continuation(.willContinue(let continuation, let type, let originName)):
            willContinue(
                ContinuationNotice(id: continuation, activityType: type.name, originName: originName.text),
                ticket: ticket)
        case .continuation(.continueActivity(let continuation, let state, let documents)):
            continueActivity(continuation, state, documents, ticket: ticket)
        case .continuation(.didFail(let continuation, _, let failure)):
            didFail(continuation, failure)
        case .documents(.documentComing(let path, let deviceName)):
            documentComing(path, from: deviceName, ticket: ticket)
        case .documents(.documentPlaced(let placed)):
            documentPlaced(placed)
        case .documents(.documentProgress(let progress)):
            handler?.progressed(progress)
        case .documents(.containers(let containers, let accountToken)):
            have(containers, accountToken)
        case .streams(.streamWanted(let wanted)):
            streamWanted(wanted, ticket: ticket)
        case .streams(.streamEnded(let end)):
            streamEnded(end)
        case .failure(let failure) where ticket == nil:
            refused(failure)
        default:
            answer(ticket, .failure(Failure(.unimplemented, "not a message for an app")))
        }
    }

    func answer(_ ticket: AnswerTicket?, _ message: LocalMessage) {
        guard let ticket, let connection = state.withLock({ $0.connection }) else { return }
        connection.answer(ticket, message)
    }
}
