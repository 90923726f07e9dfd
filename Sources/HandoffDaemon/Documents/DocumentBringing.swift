// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffWire

/// Brings the documents of a continuation here before the app gets its state. `DocumentsService` answers.
package protocol DocumentBringing: AnyObject {
    /// `then` is called once, on the loop, perhaps before this returns: the state with this device's URLs in it, and what
    /// became of each document. `progress` is called now and then until then.
    func bring(
        _ references: [DocumentReference], for state: CarriedState, by wish: DocumentWishes,
        progress: @escaping (DocumentProgress) -> Void, then: @escaping (Result<BroughtDocuments, Failure>) -> Void)
    /// `then` is not called any more, and what came goes.
    func stopBringing(_ continuation: ContinuationID)
    /// What was delivered to that app before it was here. As `DocumentTransfers`.
    func download(_ path: AbsolutePath, for client: any Client, reply: @escaping ClientReply)
}

/// For whom documents come, and from where.
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

/// Apps of this device that may have a document open.
protocol DocumentApps: AnyObject {
    /// Asks those that reach it to save it and let go. `then` is called once, perhaps before this returns; false: one has
    /// changes that it did not save, or did not answer within `deadline`.
    func letGo(
        _ path: AbsolutePath, for deviceName: DisplayText, deadline: Duration, then: @escaping (Bool) -> Void)
    func placed(_ document: PlacedDocument)
}
