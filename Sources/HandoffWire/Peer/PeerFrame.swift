// SPDX-License-Identifier: Apache-2.0

/// A frame between two devices.
package struct PeerFrame: Hashable, Sendable {
    /// Not zero: asks for one answer, which repeats this number in `answer`.
    package var request: UInt64
    /// Not zero: answers the request of that number.
    package var answer: UInt64
    package var message: PeerMessage

    package init(_ message: PeerMessage, request: UInt64 = 0, answer: UInt64 = 0) {
        self.request = request
        self.answer = answer
        self.message = message
    }
}

package enum PeerMessage: Hashable, Sendable {
    case hello(PeerHello)
    case roster(RosterUpdate)
    case boardSnapshot(BoardSnapshot)
    case boardDelta(BoardDelta)
    case boardRequest
    case fetch(FetchRequest)
    /// `saved`: the app has quit; this is what it had saved then.
    case fetched(ActivityState, saving: Duration, saved: WallTime? = nil)
    case continued(ActivityID, ContinuationID)
    case cancelFetch(ContinuationID)
    case ping
    case pong
    case failure(Failure)
    case goodbye(Failure)
    /// Answered with `stream`.
    case openStream(ActivityID, ContinuationID)
    case stream(StreamToken)
    /// Whoever was to dial for a stream does not: nothing comes with that token any more.
    case streamLost(StreamToken, Failure)
    /// A message of a newer version: answered with `unimplemented` if it asks for an answer.
    case unknown
}

package struct PeerHello: Hashable, Sendable {
    package var minimumVersion: UInt32
    package var maximumVersion: UInt32
    package var boot: BootID
    /// 32 bytes; equal digests need no roster frame.
    package var rosterDigest: [UInt8]
    package var software: DisplayText
    /// From the device with the lower id: counts the links that it chose. Zero from the other device.
    package var choice: UInt64
    /// Where the sender can be dialled, at the address its connection comes from; zero: nowhere.
    package var port: UInt16

    package init(
        versions: ClosedRange<UInt32> = ProtocolVersion.peer, boot: BootID, rosterDigest: [UInt8],
        software: DisplayText, choice: UInt64 = 0, port: UInt16 = 0
    ) {
        self.minimumVersion = versions.lowerBound
        self.maximumVersion = versions.upperBound
        self.boot = boot
        self.rosterDigest = rosterDigest
        self.software = software
        self.choice = choice
        self.port = port
    }
}

/// All of a board, newest first.
package struct BoardSnapshot: Hashable, Sendable {
    package var revision: UInt64
    package var offers: [Offer]

    package init(revision: UInt64, offers: [Offer]) {
        self.revision = revision
        self.offers = offers
    }
}

/// A board's change from `revision - 1` to `revision`.
package struct BoardDelta: Hashable, Sendable {
    package var revision: UInt64
    /// Newest first. An offer already on the board is replaced; each goes to the place its `since` gives it.
    package var upserted: [Offer]
    package var withdrawn: [ActivityID]

    package init(revision: UInt64, upserted: [Offer] = [], withdrawn: [ActivityID] = []) {
        self.revision = revision
        self.upserted = upserted
        self.withdrawn = withdrawn
    }
}

package struct FetchRequest: Hashable, Sendable {
    package var activity: ActivityID
    package var continuation: ContinuationID
    /// Of the app that will go on with it.
    package var team: Team
    /// No app takes it: type, title and web page alone are wanted, whatever the team.
    package var onlyWebPage: Bool

    package init(activity: ActivityID, continuation: ContinuationID, team: Team, onlyWebPage: Bool = false) {
        self.activity = activity
        self.continuation = continuation
        self.team = team
        self.onlyWebPage = onlyWebPage
    }
}
