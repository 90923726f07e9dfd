// SPDX-License-Identifier: Apache-2.0

extension PeerMessage {
    /// Between the device that continues an activity and its origin.
    package enum Continuation: Hashable, Sendable {
        /// Answered with `fetched`.
        case fetch(FetchRequest)
        /// `saved`: the app has quit after this save. `documents`: the named files. `filesLeft`: the number of named
        /// files that do not travel.
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
    /// Otherwise no files travel with the state.
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
