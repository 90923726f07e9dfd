// SPDX-License-Identifier: Apache-2.0

/// On a stream's own connection between two devices, before its bytes.
package enum StreamMessage: Hashable, Sendable {
    case hello(StreamHello)
    case ready(version: UInt32)
    case failure(Failure)
}

/// The acceptor checks that the token was issued for these values.
package struct StreamHello: Hashable, Sendable {
    package var minimumVersion: UInt32
    package var maximumVersion: UInt32
    package var token: StreamToken
    package var activity: ActivityID
    package var continuation: ContinuationID

    package init(
        versions: ClosedRange<UInt32> = ProtocolVersion.stream, token: StreamToken, activity: ActivityID,
        continuation: ContinuationID
    ) {
        self.minimumVersion = versions.lowerBound
        self.maximumVersion = versions.upperBound
        self.token = token
        self.activity = activity
        self.continuation = continuation
    }
}
