// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// A continuation under way here, with what the machine need not know.
final class Reception {
    let id: ContinuationID
    let offer: Offer
    let device: DeviceID
    /// It was sent to this device, and is kept here.
    let isSent: Bool
    let resolution: Resolution
    /// That shows the page; nil where an app or the requester takes it.
    let browser: (any Client)?
    let requester: any Client
    /// What the desktop gave to whoever asked, for the window of the app.
    let activation: ActivationToken?
    let reply: ClientReply
    var machine: ReceiverStateMachine
    /// The client of the app or of the browser, once it is there.
    var recipient: (any Client)?
    /// The origin's app has quit: when it had saved the state.
    var saved: WallTime?
    /// The state, until its documents are here.
    var carried: CarriedState?
    /// Of the files that its state names.
    var references: [DocumentReference] = []
    /// How many more files the app had named, which do not travel.
    var filesLeft: UInt32 = 0
    /// What became of them.
    var documents: [DeliveredDocument] = []
    /// Phases already told to the requester.
    var reported = 0

    init(
        id: ContinuationID, offer: Offer, device: DeviceID, isSent: Bool, resolution: Resolution,
        browser: (any Client)?, requester: any Client, activation: ActivationToken?, reply: @escaping ClientReply,
        started: Instant
    ) {
        self.id = id
        self.offer = offer
        self.device = device
        self.isSent = isSent
        self.resolution = resolution
        self.browser = browser
        self.requester = requester
        self.activation = activation
        self.reply = reply
        let isForRequester = resolution.bundle == nil && browser == nil
        machine = ReceiverStateMachine(recipient: isForRequester ? .requester : .app, started: started)
    }

    /// The app that takes it.
    var bundle: BundleID? { resolution.bundle }
    var isForRequester: Bool { bundle == nil && browser == nil }
    var pageViewer: PageViewer { bundle != nil ? .app : browser != nil ? .browser : .requester }

    /// Tells the user that null replaces files that did not travel.
    func noteFilesLeft() {
        guard filesLeft > 0 else { return }
        let note =
            filesLeft == 1
            ? "a file that the activity names did not travel with it"
            : "\(filesLeft) files that the activity names did not travel with it"
        if documents.count < Limits.documents {
            documents.append(DeliveredDocument(url: "", fate: .notTakenAlong, path: nil, note: note))
        } else {
            let last = documents.count - 1
            documents[last].note = documents[last].note.map { "\($0); \(note)" } ?? note
        }
    }

    /// How the requester is to understand what fails on the side of whoever takes it.
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
    /// The app that takes it.
    var bundle: BundleID? {
        switch target {
        case .app(let bundle): bundle
        case .webPage, .script, .nothing: nil
        }
    }
}
