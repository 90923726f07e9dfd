// SPDX-License-Identifier: Apache-2.0

/// What kind of device this is; decides the picture, nothing else.
package enum DeviceKind: Int, Sendable, Hashable, CaseIterable {
    case unspecified = 0
    case desktop = 1
    case laptop = 2
    case tablet = 3
    case phone = 4
    case server = 5
}

/// A roster statement as it travels: bytes nobody believes before `HandoffTrust` checked the signature.
package struct SignedStatement: Hashable, Sendable {
    package var statement: [UInt8]
    package var signer: [UInt8]
    package var signature: [UInt8]

    package init(statement: [UInt8], signer: [UInt8], signature: [UInt8]) {
        self.statement = statement
        self.signer = signer
        self.signature = signature
    }
}

package struct DeviceDescription: Hashable, Sendable {
    /// SubjectPublicKeyInfo of its P-256 key, DER.
    package var key: [UInt8]
    package var name: DisplayText
    package var kind: DeviceKind

    package init(key: [UInt8], name: DisplayText, kind: DeviceKind) {
        self.key = key
        self.name = name
        self.kind = kind
    }
}

/// What a roster statement says.
package struct RosterStatement: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case founded(DeviceDescription, salt: [UInt8])
        case admitted(DeviceDescription)
    }

    /// Nil in `founded`, whose hash it is.
    package var account: AccountID?
    package var time: WallTime
    package var kind: Kind

    package init(account: AccountID?, time: WallTime, kind: Kind) {
        self.account = account
        self.time = time
        self.kind = kind
    }
}

/// The plaintext of a beacon.
package struct Beacon: Hashable, Sendable {
    package var device: DeviceID
    package var port: UInt16
    package var boot: BootID
    package var time: WallTime
    /// Sent in answer to a newcomer, so not answered in turn.
    package var isAnswer: Bool

    package init(device: DeviceID, port: UInt16, boot: BootID, time: WallTime, isAnswer: Bool) {
        self.device = device
        self.port = port
        self.boot = boot
        self.time = time
        self.isAnswer = isAnswer
    }
}

/// The protocol by which a device joins.
package enum EnrollMessage: Hashable, Sendable {
    case join(JoinRequest)
    case admission(Admission)
    case refusal(Failure, triesLeft: Int)

    package struct JoinRequest: Hashable, Sendable {
        package var minimumVersion: UInt32
        package var maximumVersion: UInt32
        package var proof: [UInt8]
        package var name: DisplayText
        package var kind: DeviceKind

        package init(
            versions: ClosedRange<UInt32> = ProtocolVersion.enroll, proof: [UInt8], name: DisplayText, kind: DeviceKind
        ) {
            self.minimumVersion = versions.lowerBound
            self.maximumVersion = versions.upperBound
            self.proof = proof
            self.name = name
            self.kind = kind
        }
    }

    package struct Admission: Hashable, Sendable {
        package var proof: [UInt8]
        package var roster: [SignedStatement]
        package var beaconKey: [UInt8]

        package init(proof: [UInt8], roster: [SignedStatement], beaconKey: [UInt8]) {
            self.proof = proof
            self.roster = roster
            self.beaconKey = beaconKey
        }
    }
}
