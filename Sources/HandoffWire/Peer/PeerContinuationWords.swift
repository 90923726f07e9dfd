// SPDX-License-Identifier: Apache-2.0

extension PeerMessage {
    /// From the device that continues an activity to its origin, and back.
    package enum Continuation: Hashable, Sendable {
        /// Answered with `fetched`.
        case fetch(FetchRequest)
        /// `saved`: the app has quit; this is what it had saved then. `documents`: the files that it names. `filesLeft`: how
        /// many more the app had named, which do not travel.
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
    /// Of the app that will continue it.
    package var team: Team
    /// No app takes it: type, title and web page alone are wanted, whatever the team.
    package var onlyWebPage: Bool
    /// The receiver knows `Value.document`; else no files travel with the state.
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
