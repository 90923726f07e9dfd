// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension PeerMessage {
    package enum Continuation: Hashable, Sendable {
        /// Answered with `fetched`.
        case fetch(FetchRequest)
        /// `saved`: the app has quit since. `filesLeft`: named files that do not travel.
        case fetched(
            CarriedState, saving: Duration, saved: WallTime? = nil, documents: [DocumentReference] = [],
            filesLeft: UInt32 = 0)
        case continued(ActivityID, ContinuationID)
        case cancelFetch(ContinuationID)
    }
}

package struct FetchRequest: Hashable, Sendable {
    package var activity: ActivityID
    package var continuation: ContinuationID
    /// The receiving app's.
    package var team: Team
    /// Requests only type, title and web page, for any team.
    package var onlyWebPage: Bool
    /// Otherwise no files travel.
    package var takesDocuments: Bool

    package init(
        activity: ActivityID, continuation: ContinuationID, team: Team, onlyWebPage: Bool = false,
        takesDocuments: Bool = false
    ) {
        self.activity = activity
        self.continuation = continuation
        self.team = team
        self.onlyWebPage = onlyWebPage
        self.takesDocuments = takesDocuments
    }
}

extension PeerMessage.Continuation {
    var wire: PBPeerFrame.OneOf_Body {
        switch self {
        case .fetch(let fetch):
            .fetch(
                .with {
                    $0.activity = fetch.activity.bytes.data
                    $0.continuation = fetch.continuation.bytes.data
                    $0.team = PBTeam(fetch.team)
                    $0.onlyWebPage = fetch.onlyWebPage
                    $0.takesDocuments = fetch.takesDocuments
                })
        case .fetched(let state, let saving, let saved, let documents, let filesLeft):
            .fetched(
                .with {
                    $0.state = state.message
                    $0.saveMicroseconds = UInt32(clamping: saving.wholeMicroseconds)
                    if let saved { $0.savedMs = saved.milliseconds }
                    $0.documents = documents.map(PBDocumentReference.init)
                    $0.filesLeft = filesLeft
                })
        case .continued(let activity, let continuation):
            .continued(
                .with {
                    $0.activity = activity.bytes.data
                    $0.continuation = continuation.bytes.data
                })
        case .cancelFetch(let continuation): .cancel(.with { $0.continuation = continuation.bytes.data })
        }
    }

    init?(_ body: PBPeerFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .fetch(let fetch):
            self = .fetch(
                FetchRequest(
                    activity: try ActivityID(bytes: fetch.activity),
                    continuation: try ContinuationID(bytes: fetch.continuation), team: try Team(fetch.team),
                    onlyWebPage: fetch.onlyWebPage, takesDocuments: fetch.takesDocuments))
        case .fetched(let fetched):
            self = .fetched(
                try CarriedState(fetched.state), saving: .microseconds(Int64(fetched.saveMicroseconds)),
                saved: fetched.hasSavedMs ? WallTime(milliseconds: fetched.savedMs) : nil,
                documents: try [DocumentReference](fetched.documents), filesLeft: fetched.filesLeft)
        case .continued(let continued):
            self = .continued(
                try ActivityID(bytes: continued.activity), try ContinuationID(bytes: continued.continuation))
        case .cancel(let cancel): self = .cancelFetch(try ContinuationID(bytes: cancel.continuation))
        default: return nil
        }
    }
}
