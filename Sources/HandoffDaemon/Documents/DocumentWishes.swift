// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffWire

/// The destination and the source of the documents of one continuation.
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
