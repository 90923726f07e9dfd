// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

final class Reception {
    enum Source: Hashable {
        case peer
        case inbox
        case history(ActivityState)

        var direction: HandoffDirection {
            switch self {
            case .peer, .inbox: .receiving
            case .history: .history
            }
        }
    }

    let id: ContinuationID
    let offer: Offer
    let device: DeviceID
    let source: Source
    let resolution: Resolution
    /// Nil: the target is an app or the requester.
    let browser: (any Client)?
    let requester: any Client
    /// From the desktop, by way of the requester; it brings the app's window to the front.
    let activation: ActivationToken?
    let reply: ClientReply
    var machine: ReceiverStateMachine
    var recipient: (any Client)?
    /// By the origin's app, which has quit.
    var saved: WallTime?
    var carried: CarriedState?
    var references: [DocumentReference] = []
    var filesLeft: UInt32 = 0
    var documents: [DeliveredDocument] = []
    var reported = 0

    init(
        id: ContinuationID, offer: Offer, device: DeviceID, source: Source, resolution: Resolution,
        browser: (any Client)?, requester: any Client, activation: ActivationToken?, reply: @escaping ClientReply,
        started: Instant
    ) {
        self.id = id
        self.offer = offer
        self.device = device
        self.source = source
        self.resolution = resolution
        self.browser = browser
        self.requester = requester
        self.activation = activation
        self.reply = reply
        let isForRequester = resolution.bundle == nil && browser == nil
        machine = ReceiverStateMachine(recipient: isForRequester ? .requester : .app, started: started)
    }

    var bundle: BundleID? { resolution.bundle }
    var isForRequester: Bool { bundle == nil && browser == nil }
    var pageViewer: PageViewer { bundle != nil ? .app : browser != nil ? .browser : .requester }

    /// For the user: null replaces files that were not sent.
    func noteFilesLeft() {
        guard filesLeft > 0 else { return }
        let note =
            filesLeft == 1
            ? "a file that the activity names was not transferred"
            : "\(filesLeft) files that the activity names were not transferred"
        if documents.count < Limits.documents {
            documents.append(DeliveredDocument(url: "", fate: .notTakenAlong, path: nil, note: note))
        } else {
            let last = documents.count - 1
            documents[last].note = documents[last].note.map { "\($0); \(note)" } ?? note
        }
    }

    func failure(ofRecipient failure: Failure) -> Failure {
        let who = browser == nil ? "the app" : "the browser"
        return switch failure.code {
        case .appGone: Failure(.appDidNotAnswer, "\(who) quit before it could continue the activity")
        case .appTimedOut: Failure(.appDidNotAnswer, "\(who) did not answer in time")
        default: failure
        }
    }
}

extension Resolution {
    var bundle: BundleID? {
        switch target {
        case .app(let bundle): bundle
        case .webPage, .script, .nothing: nil
        }
    }
}
