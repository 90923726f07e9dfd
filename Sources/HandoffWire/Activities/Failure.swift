// SPDX-License-Identifier: Apache-2.0

package struct Failure: CodedError {
    package enum Code: Int, Sendable, CaseIterable {
        case unspecified = 0
        case unimplemented = 1
        case versionUnsupported = 2
        case malformed = 3
        case limitReached = 4
        case notAllowed = 5
        case `internal` = 6

        case activityGone = 20
        case appGone = 21
        case appTimedOut = 22
        case payloadTooLarge = 23
        case cancelled = 24
        case connectionUnavailable = 25
        case deviceLost = 26
        case noApp = 27
        case appDidNotStart = 28
        case appDidNotAnswer = 29
        case noStreams = 30
        case streamCut = 31
        case documentGone = 32
        case documentChanged = 33
        case documentNotPlaced = 34
        case severalDevices = 35
        /// It names files on the origin, so it cannot be sent.
        case filesOnlyThere = 36

        case noAccount = 40
        case alreadyMember = 41
        case noInvite = 42
        case wrongCode = 43
        case inviteExpired = 44
        case inviteUsedUp = 45
        case inviterNotFound = 46
        case notAMember = 47
        case stateNotWritable = 48
        case deviceRemoved = 49
        case noSuchDevice = 50
        case keyMistyped = 51
        case wrongKey = 52
        case joinDeclined = 53
    }

    package let code: Code
    /// For logs and terminals. Contains no user data.
    package let reason: String
    /// For logs: helps developers, but not users. Not sent.
    package let detail: String

    package init(_ code: Code, _ reason: String, detail: String = "") {
        self.code = code
        self.reason = reason
        self.detail = detail
    }

    /// Shared by the origin's daemon and its app: timing decides which of them refuses.
    package static var streamsNotSupported: Failure {
        Failure(.noStreams, "the app on the other device does not support continuation streams for this activity")
    }

    package var description: String {
        let reason = reason.isEmpty ? "\(code)" : reason
        return detail.isEmpty ? reason : "\(reason): \(detail)"
    }

    /// For the receiving app's didFail hook.
    package var cocoaErrorCode: Int {
        switch code {
        case .cancelled: 3072
        case .connectionUnavailable, .versionUnsupported, .noAccount, .notAMember, .deviceRemoved: 4609
        case .appTimedOut: 4610
        case .payloadTooLarge: 4611
        default: 4608
        }
    }
}
