// SPDX-License-Identifier: Apache-2.0

/// Every limit of both protocols, with its unit. Each has a test by its name.
package enum Limits {
    /// A frame before the other side's hello was accepted, bytes.
    package static let helloFrameBytes = 16 * 1024
    /// A frame of an established session or client connection, bytes.
    package static let frameBytes = 1024 * 1024
    /// An encoded `userInfo`, bytes. Above it a continuation fails with error 4611.
    package static let userInfoBytes = 128 * 1024
    /// An encoded `userInfo` above this many bytes gets an advice in the app's log; the platform's guidance is 3 KB.
    package static let userInfoAdviceBytes = 3 * 1024
    /// An activity that is sent, its offer and its state, encoded, bytes: all that a state may have, and 28 KiB of keywords.
    package static let sentActivityBytes = 256 * 1024
    /// Containers within containers in a `userInfo`.
    package static let valueNesting = 64
    /// Activity type, UTF-8 bytes.
    package static let activityTypeBytes = 255
    /// Title on a board, characters; a longer one is cut.
    package static let titleCharacters = 256
    /// A text for showing has at most so many UTF-8 bytes for each character that it may have: a character can be
    /// built of any number of marks.
    package static let shownBytesPerCharacter = 4
    /// Title in a state, UTF-8 bytes.
    package static let titleBytes = 4 * 1024
    /// Device or app name, characters.
    package static let nameCharacters = 64
    /// Bundle identifier, UTF-8 bytes.
    package static let bundleIDBytes = 155
    /// A URL of an activity, UTF-8 bytes.
    package static let urlBytes = 16 * 1024
    /// The name of a web server, bytes: what DNS allows.
    package static let hostBytes = 253
    /// One label of it, bytes.
    package static let hostLabelBytes = 63
    /// An `apple-app-site-association`, bytes.
    package static let associationBytes = 128 * 1024
    /// Keywords or required keys of one state.
    package static let keywords = 256
    /// Persistent identifiers of one request to delete what was saved.
    package static let deletedIdentifiers = 1024
    /// What a search would show of an activity, encoded, bytes. More is left out.
    package static let contentAttributesBytes = 64 * 1024
    /// Changes of one app's offer that go out at once, before they are spaced.
    package static let offerBurst = 8
    /// From then on once in so long, and the newest state.
    package static let offerSpacing: Duration = .milliseconds(250)
    /// What a device says of its board has a multiple of so many bytes, so that nobody can tell by its length what it says. It
    /// still fits into one packet.
    package static let boardFrameStep = 1024
    /// Activities one device offers at a time.
    package static let offersPerBoard = 128
    /// Devices of an account.
    package static let devicesPerAccount = 64
    /// Statements of a roster.
    package static let rosterStatements = 1024
    /// All statements of a roster together, bytes: what fits a frame of the joining protocol with the secrets.
    package static let rosterBytes = 384 * 1024
    /// One roster statement with its signature, bytes.
    package static let statementBytes = 8 * 1024
    /// Statements of a removed device that one removal keeps.
    package static let keptStatements = 128
    /// A beacon datagram, bytes.
    package static let beaconBytes = 512
    /// Proofs in one call: whoever does not know which device will answer gives one for each.
    package static let callProofs = 64
    /// The first words of TLS, which a call has with it, bytes.
    package static let callHelloBytes = 4 * 1024
    /// A frame that a member sends to a joining device, bytes: a whole roster and its secrets.
    package static let enrollFrameBytes = 512 * 1024
    /// A frame that a joining device sends, bytes: it has proved nothing yet.
    package static let joinRequestBytes = 4 * 1024
    /// A frame that sets up a stream, bytes.
    package static let streamFrameBytes = 4 * 1024
    /// Files of one state that go along.
    package static let documents = 16
    /// Of a document's content before, that its reference names.
    package static let knownHashes = 32
    /// The path of a document in its container, bytes.
    package static let pathBytes = 4096
    /// Where any file of this device lies, bytes: a container's folder, and a path in it.
    package static let absolutePathBytes = 2 * pathBytes
    /// One part of it between slashes, bytes.
    package static let pathPartBytes = 255
    /// The identifier of a container, bytes.
    package static let containerBytes = 155
    /// A document, bytes: what a file of Linux can have.
    package static let documentBytes = UInt64(Int64.max)
    /// One chunk of a file, bytes. It is held in memory until it is all there and was checked.
    package static let chunkBytes = 1024 * 1024
    /// Members of a package.
    package static let packageMembers = 10_000
    /// A chunk list or the manifest of a package, bytes.
    package static let documentListBytes = 16 * 1024 * 1024
    /// A frame on the stream of a document, bytes: of them the wish is the longest.
    package static let documentFrameBytes = 256 * 1024
    /// Raw bytes of a document between two frames.
    package static let documentDataBytes = 1024 * 1024
    /// Facts of one report.
    package static let facts = 32
    /// The name of a fact, bytes.
    package static let factNameBytes = 64
    /// Well-known names of one program on the bus.
    package static let callerNames = 16
    /// What a desktop gives so that a window may come to the front, bytes.
    package static let activationTokenBytes = 512
    /// A failure's reason, characters.
    package static let reasonCharacters = 512
}

/// The versions of each protocol that this build speaks.
package enum ProtocolVersion {
    package static let peer: ClosedRange<UInt32> = 1...1
    package static let local: ClosedRange<UInt32> = 1...1
    /// 2: a number to compare.
    package static let enroll: ClosedRange<UInt32> = 1...2
    package static let stream: ClosedRange<UInt32> = 1...1
    /// First byte of a call.
    package static let call: UInt8 = 1
    /// First byte of a beacon.
    package static let beacon: UInt8 = 1

    /// The highest version in both ranges, or nil where they do not meet.
    package static func agreed(ours: ClosedRange<UInt32>, theirMinimum: UInt32, theirMaximum: UInt32) -> UInt32? {
        guard theirMinimum <= theirMaximum else { return nil }
        let highest = min(ours.upperBound, theirMaximum)
        return highest >= max(ours.lowerBound, theirMinimum) ? highest : nil
    }
}

/// ALPN names: what a TLS connection between devices is for.
package enum ConnectionPurpose: String, Sendable, CaseIterable {
    case session = "handoff/1"
    case enroll = "handoff-enroll/1"
    case stream = "handoff-stream/1"
}
