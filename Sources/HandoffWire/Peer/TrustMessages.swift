// SPDX-License-Identifier: Apache-2.0

/// Only selects an icon.
package enum DeviceKind: Int, Sendable, Hashable, CaseIterable {
    case unspecified = 0
    case desktop = 1
    case laptop = 2
    case tablet = 3
    case phone = 4
    case server = 5
}

/// Untrusted until `HandoffTrust` has verified the signature.
package struct SignedStatement: Hashable, Sendable {
    package var statement: [UInt8]
    package var signer: [UInt8]
    package var signature: [UInt8]

    package init(statement: [UInt8], signer: [UInt8], signature: [UInt8]) {
        self.statement = statement
        self.signer = signer
        self.signature = signature
    }

    package var byteCount: Int { statement.count + signer.count + signature.count }
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

package struct RosterStatement: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// `secretHash`: SHA-256 of the beacon secret.
        case founded(DeviceDescription, secretHash: [UInt8])
        /// `secretHash` is nil for a device that stays.
        case recovered(DeviceDescription, secretHash: [UInt8]?)
        case admitted(DeviceDescription)
        /// `number`: higher by 1 than any that the signer knew for this device.
        case renamed(DeviceID, DisplayText, number: UInt32)
        /// `kept`: the device's statements that remain valid.
        case revoked(DeviceID, kept: [StatementID], secretHash: [UInt8])
    }

    package var account: AccountID
    package var time: WallTime
    /// 0 at the founding; each recovery adds 1.
    package var epoch: UInt32
    package var kind: Kind

    package init(account: AccountID, time: WallTime, epoch: UInt32, kind: Kind) {
        self.account = account
        self.time = time
        self.epoch = epoch
        self.kind = kind
    }
}

/// An input of the beacon key, for members only.
package struct BeaconSecret: Hashable, Sendable {
    package var statement: StatementID
    /// 32 bytes.
    package var secret: [UInt8]

    package init(statement: StatementID, secret: [UInt8]) {
        self.statement = statement
        self.secret = secret
    }
}

package struct RosterUpdate: Hashable, Sendable {
    package var statements: [SignedStatement]
    package var secrets: [BeaconSecret]

    package init(statements: [SignedStatement] = [], secrets: [BeaconSecret] = []) {
        self.statements = statements
        self.secrets = secrets
    }

    package var isEmpty: Bool { statements.isEmpty && secrets.isEmpty }
}

package struct StoredAccount: Hashable, Sendable {
    package struct FormerKey: Hashable, Sendable {
        /// 32 bytes.
        package var key: [UInt8]
        package var expires: WallTime
        /// Members that may lack the newer key.
        package var waiting: [DeviceID]

        package init(key: [UInt8], expires: WallTime, waiting: [DeviceID]) {
            self.key = key
            self.expires = expires
            self.waiting = waiting
        }
    }

    package var account: AccountID
    package var roster: RosterUpdate
    package var former: [FormerKey]
    package var isRecoveryKeyUnconfirmed: Bool

    package init(
        account: AccountID, roster: RosterUpdate, former: [FormerKey] = [], isRecoveryKeyUnconfirmed: Bool = false
    ) {
        self.account = account
        self.roster = roster
        self.former = former
        self.isRecoveryKeyUnconfirmed = isRecoveryKeyUnconfirmed
    }
}

package struct Beacon: Hashable, Sendable {
    package var device: DeviceID
    package var port: UInt16
    package var boot: BootID
    package var time: WallTime
    /// Answers a newcomer's beacon; not answered in turn.
    package var isAnswer: Bool

    package init(device: DeviceID, port: UInt16, boot: BootID, time: WallTime, isAnswer: Bool) {
        self.device = device
        self.port = port
        self.boot = boot
        self.time = time
        self.isAnswer = isAnswer
    }
}

/// An open invite for new devices on this network. Not encrypted, and proves nothing.
package struct Announcement: Hashable, Sendable {
    /// 15 bytes.
    package var code: [UInt8]
    package var name: DisplayText
    package var kind: DeviceKind
    /// For joining connections.
    package var port: UInt16

    package init(code: [UInt8], name: DisplayText, kind: DeviceKind, port: UInt16) {
        self.code = code
        self.name = name
        self.kind = kind
        self.port = port
    }
}

package enum EnrollMessage: Hashable, Sendable {
    case join(JoinRequest)
    case comparison(Comparison)
    /// 32 bytes, behind `JoinRequest.commitment`.
    case opening(nonce: [UInt8])
    case admission(Admission)
    case refusal(Failure, triesLeft: Int)

    package struct JoinRequest: Hashable, Sendable {
        package var minimumVersion: UInt32
        package var maximumVersion: UInt32
        package var proof: [UInt8]
        package var name: DisplayText
        package var kind: DeviceKind
        /// 32 bytes; nil from a version without the comparison.
        package var commitment: [UInt8]?

        package init(
            versions: ClosedRange<UInt32> = ProtocolVersion.enroll, proof: [UInt8], name: DisplayText, kind: DeviceKind,
            commitment: [UInt8]?
        ) {
            self.minimumVersion = versions.lowerBound
            self.maximumVersion = versions.upperBound
            self.proof = proof
            self.name = name
            self.kind = kind
            self.commitment = commitment
        }
    }

    package struct Comparison: Hashable, Sendable {
        package var proof: [UInt8]
        /// 32 bytes.
        package var nonce: [UInt8]

        package init(proof: [UInt8], nonce: [UInt8]) {
            self.proof = proof
            self.nonce = nonce
        }
    }

    package struct Admission: Hashable, Sendable {
        package var proof: [UInt8]
        package var roster: RosterUpdate

        package init(proof: [UInt8], roster: RosterUpdate) {
            self.proof = proof
            self.roster = roster
        }
    }
}
