// SPDX-License-Identifier: Apache-2.0

/// Every limit of both protocols. Each has a test by its name.
package enum Limits {
    /// Before the other side's hello is accepted.
    package static let helloFrameBytes = 16 * 1024
    package static let frameBytes = 1024 * 1024
    /// Above it, a continuation fails with error 4611.
    package static let userInfoBytes = 128 * 1024
    /// Apple's guidance; beyond it, the app logs a warning.
    package static let userInfoAdviceBytes = 3 * 1024
    /// The maximum state, and 28 KiB of keywords.
    package static let sentActivityBytes = 256 * 1024
    package static let valueNesting = 64
    static let activityTypeBytes = 255
    /// On a board; a longer title is cut.
    package static let titleCharacters = 256
    /// UTF-8 bytes, because of combining marks.
    package static let shownBytesPerCharacter = 4
    /// In a state.
    package static let titleBytes = 4 * 1024
    package static let nameCharacters = 64
    package static let browsersListed = 16
    package static let phones = 32
    static let phoneIDBytes = 64
    package static let bundleIDBytes = 155
    package static let urlBytes = 16 * 1024
    /// As in DNS.
    package static let hostBytes = 253
    static let hostLabelBytes = 63
    /// `apple-app-site-association`.
    package static let associationBytes = 128 * 1024
    /// Per state; also the required keys.
    package static let keywords = 256
    /// Per request.
    static let deletedIdentifiers = 1024
    /// Attributes beyond it are left out.
    package static let contentAttributesBytes = 64 * 1024
    /// Changes sent at once.
    package static let offerBurst = 8
    /// After the burst; only the newest state is sent.
    package static let offerSpacing: Duration = .milliseconds(250)
    /// In bytes. Padding to a multiple hides the length of a board message; it fits into one packet.
    static let boardFrameStep = 1024
    package static let offersPerBoard = 128
    package static let devicesPerAccount = 64
    package static let rosterStatements = 1024
    /// With the secrets, it fits into an enroll frame.
    package static let rosterBytes = 384 * 1024
    /// With the signature.
    package static let statementBytes = 8 * 1024
    /// Statements of the removed device.
    package static let keptStatements = 128
    package static let beaconBytes = 512
    package static let inviteCodeBytes = 15
    /// One for each device that may answer.
    package static let callProofs = 64
    /// The first TLS flight.
    static let callHelloBytes = 4 * 1024
    /// A complete roster and its secrets.
    package static let enrollFrameBytes = 512 * 1024
    /// The joining device has proved nothing yet.
    package static let joinRequestBytes = 4 * 1024
    package static let streamFrameBytes = 4 * 1024
    /// Per state.
    package static let documents = 16
    /// Earlier versions in a reference.
    package static let knownHashes = 32
    package static let pathBytes = 4096
    package static let absolutePathBytes = 2 * pathBytes
    package static let pathPartBytes = 255
    static let containerBytes = 155
    /// The maximum of Linux.
    package static let documentBytes = UInt64(Int64.max)
    /// Held in memory until verified.
    package static let chunkBytes = 1024 * 1024
    package static let packageMembers = 10_000
    /// A chunk list or a manifest.
    package static let documentListBytes = 16 * 1024 * 1024
    /// The longest frame is the wish.
    package static let documentFrameBytes = 256 * 1024
    /// Between two frames.
    package static let documentDataBytes = 1024 * 1024
    /// Per report.
    package static let facts = 32
    static let factNameBytes = 64
    /// Well-known names of a program on the bus.
    static let callerNames = 16
    package static let activationTokenBytes = 512
    package static let reasonCharacters = 512
}

package enum ProtocolVersion {
    package static let peer: ClosedRange<UInt32> = 1...1
    package static let local: ClosedRange<UInt32> = 1...1
    /// 2 adds a number to compare.
    package static let enroll: ClosedRange<UInt32> = 1...2
    package static let stream: ClosedRange<UInt32> = 1...1
    package static let call: UInt8 = 1
    package static let beacon: UInt8 = 1
    /// Differs from every version of the beacon.
    package static let announcement: UInt8 = 0x81

    package static func agreed(ours: ClosedRange<UInt32>, theirMinimum: UInt32, theirMaximum: UInt32) -> UInt32? {
        guard theirMinimum <= theirMaximum else { return nil }
        let highest = min(ours.upperBound, theirMaximum)
        return highest >= max(ours.lowerBound, theirMinimum) ? highest : nil
    }
}

/// ALPN names.
package enum ConnectionPurpose: String, Sendable, CaseIterable {
    case session = "handoff/1"
    case enroll = "handoff-enroll/1"
    case stream = "handoff-stream/1"
}
