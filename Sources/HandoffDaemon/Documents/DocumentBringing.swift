// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffWire

/// Brings a continuation's documents here before the app receives its state. Implemented by `DocumentsService`.
package protocol DocumentBringing: AnyObject {
    /// `then` is called once, on the loop, perhaps before this returns, with the state, whose URLs are this device's,
    /// and the result for each document. `progress` is called periodically until then.
    func bring(
        _ references: [DocumentReference], for state: CarriedState, by wish: DocumentWishes,
        progress: @escaping (DocumentProgress) -> Void, then: @escaping (Result<BroughtDocuments, Failure>) -> Void)
    func stopBringing(_ continuation: ContinuationID)
    /// Downloads a document that was delivered to the app without its content. As `DocumentTransfers`.
    func download(_ path: AbsolutePath, for client: any Client, reply: @escaping ClientReply)
}

package struct DocumentWishes {
    package let continuation: ContinuationID
    package let activity: ActivityID
    package let device: DeviceID
    package let deviceName: DisplayText
    package let team: Team
    /// Nil: a program without a bundle.
    package let app: BundleID?

    package init(
        continuation: ContinuationID, activity: ActivityID, device: DeviceID, deviceName: DisplayText, team: Team,
        app: BundleID?
    ) {
        self.continuation = continuation
        self.activity = activity
        self.device = device
        self.deviceName = deviceName
        self.team = team
        self.app = app
    }

    func pass(_ index: UInt32) -> StreamPass {
        StreamPass(
            device: device, activity: activity, continuation: continuation, team: team, direction: .receiving,
            document: index)
    }
}

package struct BroughtDocuments {
    package let state: ActivityState
    package let documents: [DeliveredDocument]
}

protocol DocumentApps: AnyObject {
    /// Asks the apps that can reach it to save and release it. `then` is called once, perhaps before this returns.
    /// False: an app has unsaved changes, or did not answer within `deadline`.
    func letGo(
        _ path: AbsolutePath, for deviceName: DisplayText, deadline: Duration, then: @escaping (Bool) -> Void)
    func placed(_ document: PlacedDocument)
}
