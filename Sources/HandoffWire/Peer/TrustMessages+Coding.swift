// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension PBSignedStatement {
    init(_ statement: SignedStatement) {
        self.init()
        self.statement = statement.statement.data
        self.signer = statement.signer.data
        self.signature = statement.signature.data
    }
}

extension SignedStatement {
    init(_ message: PBSignedStatement) throws(WireError) {
        guard message.statement.count + message.signer.count + message.signature.count <= Limits.statementBytes else {
            throw WireError(.limitReached, "a roster statement has at most \(Limits.statementBytes) bytes")
        }
        self.init(
            statement: Array(message.statement), signer: Array(message.signer), signature: Array(message.signature))
    }
}

extension PBBeaconSecret {
    fileprivate init(_ secret: BeaconSecret) {
        self.init()
        statement = secret.statement.bytes.data
        self.secret = secret.secret.data
    }
}

extension BeaconSecret {
    fileprivate init(_ message: PBBeaconSecret) throws(WireError) {
        let secret = try message.secret.thirtyTwoBytes("a beacon secret")
        self.init(statement: try StatementID(bytes: message.statement), secret: secret)
    }
}

extension [PBBeaconSecret] {
    fileprivate func native() throws(WireError) -> [BeaconSecret] {
        guard count <= Limits.rosterStatements else {
            throw WireError(.limitReached, "more than \(Limits.rosterStatements) beacon secrets")
        }
        var secrets: [BeaconSecret] = []
        for secret in self { secrets.append(try BeaconSecret(secret)) }
        return secrets
    }
}

extension PBRosterUpdate {
    init(_ update: RosterUpdate) {
        self.init()
        statements = update.statements.map(PBSignedStatement.init)
        secrets = update.secrets.map(PBBeaconSecret.init)
    }
}

extension RosterUpdate {
    package func encoded() throws(WireError) -> [UInt8] { try PBRosterUpdate(self).bytes() }
    package init(encoded bytes: [UInt8]) throws(WireError) { try self.init(PBRosterUpdate.decode(bytes)) }

    init(_ message: PBRosterUpdate) throws(WireError) {
        self.init(statements: try message.statements.native(), secrets: try message.secrets.native())
    }
}

extension StoredAccount {
    package func encoded() throws(WireError) -> [UInt8] {
        var message = PBStoredAccount()
        message.account = account.bytes.data
        message.statements = roster.statements.map(PBSignedStatement.init)
        message.secrets = roster.secrets.map(PBBeaconSecret.init)
        message.former = former.map { former in
            .with {
                $0.key = former.key.data
                $0.expiresMs = former.expires.milliseconds
                $0.waiting = former.waiting.map(\.bytes.data)
            }
        }
        message.recoveryKeyUnconfirmed = isRecoveryKeyUnconfirmed
        return try message.bytes()
    }

    package init(encoded bytes: [UInt8]) throws(WireError) {
        let message = try PBStoredAccount.decode(bytes)
        var former: [FormerKey] = []
        for key in message.former {
            var waiting: [DeviceID] = []
            for device in key.waiting { waiting.append(try DeviceID(bytes: device)) }
            former.append(
                FormerKey(
                    key: Array(key.key), expires: WallTime(milliseconds: key.expiresMs), waiting: waiting))
        }
        self.init(
            account: try AccountID(bytes: message.account),
            roster: RosterUpdate(
                statements: try message.statements.native(), secrets: try message.secrets.native()),
            former: former, isRecoveryKeyUnconfirmed: message.recoveryKeyUnconfirmed)
    }
}

extension PBDeviceDescription {
    fileprivate init(_ device: DeviceDescription) {
        self.init()
        key = device.key.data
        name = device.name.text
        kind = PBDeviceKind(rawValue: device.kind.rawValue) ?? .unspecified
    }
}

extension DeviceKind {
    init(_ kind: PBDeviceKind) { self = DeviceKind(rawValue: kind.rawValue) ?? .unspecified }
}

extension DeviceDescription {
    fileprivate init(_ message: PBDeviceDescription) throws(WireError) {
        guard !message.key.isEmpty else { throw WireError(.missingField, "a device without a key") }
        self.init(
            key: Array(message.key), name: DisplayText(cleaning: message.name, limit: Limits.nameCharacters),
            kind: DeviceKind(message.kind))
    }
}

extension RosterStatement {
    package func encoded() throws(WireError) -> [UInt8] {
        var message = PBRosterStatement()
        message.account = account.bytes.data
        message.timeMs = time.milliseconds
        message.epoch = epoch
        switch kind {
        case .founded(let device, let secretHash):
            message.founded = .with {
                $0.device = PBDeviceDescription(device)
                $0.secretHash = secretHash.data
            }
        case .recovered(let device, let secretHash):
            message.recovered = .with {
                $0.device = PBDeviceDescription(device)
                $0.secretHash = (secretHash ?? []).data
            }
        case .admitted(let device): message.admitted.device = PBDeviceDescription(device)
        case .renamed(let device, let name, let number):
            message.renamed = .with {
                $0.device = device.bytes.data
                $0.name = name.text
                $0.number = number
            }
        case .revoked(let device, let kept, let secretHash):
            message.revoked = .with {
                $0.device = device.bytes.data
                $0.kept = kept.map(\.bytes.data)
                $0.secretHash = secretHash.data
            }
        }
        return try message.bytes()
    }

    package init(encoded bytes: [UInt8]) throws(WireError) {
        let message = try PBRosterStatement.decode(bytes)
        let kind: Kind
        switch message.kind {
        case .founded(let founded)?:
            kind = .founded(
                try DeviceDescription(founded.device), secretHash: try founded.secretHash.thirtyTwoBytes("a hash"))
        case .recovered(let recovered)?:
            kind = .recovered(
                try DeviceDescription(recovered.device),
                secretHash: recovered.secretHash.isEmpty ? nil : try recovered.secretHash.thirtyTwoBytes("a hash"))
        case .admitted(let admitted)?: kind = .admitted(try DeviceDescription(admitted.device))
        case .renamed(let renamed)?:
            let name = DisplayText(cleaning: renamed.name, limit: Limits.nameCharacters)
            kind = .renamed(try DeviceID(bytes: renamed.device), name, number: renamed.number)
        case .revoked(let revoked)?:
            guard revoked.kept.count <= Limits.keptStatements else {
                throw WireError(.limitReached, "a removal keeps at most \(Limits.keptStatements) statements")
            }
            var kept: [StatementID] = []
            for id in revoked.kept { kept.append(try StatementID(bytes: id)) }
            kind = .revoked(
                try DeviceID(bytes: revoked.device), kept: kept,
                secretHash: try revoked.secretHash.thirtyTwoBytes("a hash"))
        case nil: throw WireError(.unknownKind, "a statement of a kind that this version does not know")
        }
        self.init(
            account: try AccountID(bytes: message.account), time: WallTime(milliseconds: message.timeMs),
            epoch: message.epoch, kind: kind)
    }
}

extension Beacon {
    package func encoded() throws(WireError) -> [UInt8] {
        var message = PBBeacon()
        message.device = device.bytes.data
        message.port = UInt32(port)
        message.boot = boot.value
        message.timeMs = time.milliseconds
        message.answer = isAnswer
        return try message.bytes()
    }

    package init(encoded bytes: [UInt8]) throws(WireError) {
        let message = try PBBeacon.decode(bytes)
        guard let port = UInt16(exactly: message.port), port != 0 else {
            throw WireError(.malformed, "port \(message.port)")
        }
        self.init(
            device: try DeviceID(bytes: message.device), port: port, boot: BootID(message.boot),
            time: WallTime(milliseconds: message.timeMs), isAnswer: message.answer)
    }
}

extension Announcement {
    package static func isVersion(of datagram: [UInt8]) -> Bool { datagram.first == ProtocolVersion.announcement }

    package func datagram() throws(WireError) -> [UInt8] {
        var message = PBAnnouncement()
        message.code = code.data
        message.name = name.text
        message.kind = PBDeviceKind(rawValue: kind.rawValue) ?? .unspecified
        message.port = UInt32(port)
        return [ProtocolVersion.announcement] + (try message.bytes())
    }

    package init(datagram: [UInt8]) throws(WireError) {
        guard Self.isVersion(of: datagram) else { throw WireError(.malformed, "not an announcement") }
        let message = try PBAnnouncement.decode(datagram.dropFirst())
        guard message.code.count == Limits.inviteCodeBytes else {
            throw WireError(.malformed, "a code has \(Limits.inviteCodeBytes) bytes")
        }
        guard let port = UInt16(exactly: message.port), port != 0 else {
            throw WireError(.malformed, "port \(message.port)")
        }
        let name = DisplayText(cleaning: message.name, limit: Limits.nameCharacters)
        guard !name.text.isEmpty else { throw WireError(.missingField, "an announcement without a name") }
        self.init(code: Array(message.code), name: name, kind: DeviceKind(message.kind), port: port)
    }
}

extension EnrollMessage {
    package func encoded() throws(WireError) -> [UInt8] {
        var frame = PBEnrollFrame()
        switch self {
        case .join(let request):
            frame.join = .with {
                $0.minVersion = request.minimumVersion
                $0.maxVersion = request.maximumVersion
                $0.proof = request.proof.data
                $0.name = request.name.text
                $0.kind = PBDeviceKind(rawValue: request.kind.rawValue) ?? .unspecified
                $0.commitment = (request.commitment ?? []).data
            }
        case .comparison(let comparison):
            frame.comparison = .with {
                $0.proof = comparison.proof.data
                $0.nonce = comparison.nonce.data
            }
        case .opening(let nonce): frame.opening.nonce = nonce.data
        case .admission(let admission):
            frame.admission = .with {
                $0.proof = admission.proof.data
                $0.roster = admission.roster.statements.map(PBSignedStatement.init)
                $0.secrets = admission.roster.secrets.map(PBBeaconSecret.init)
            }
        case .refusal(let failure, let triesLeft):
            frame.refusal = .with {
                $0.code = UInt32(failure.code.rawValue)
                $0.reason = PBFailure(failure).reason
                $0.triesLeft = UInt32(clamping: triesLeft)
            }
        }
        return try frame.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        switch try PBEnrollFrame.decode(bytes).body {
        case .join(let join)?:
            var request = JoinRequest(
                proof: try join.proof.thirtyTwoBytes("a proof"),
                name: DisplayText(cleaning: join.name, limit: Limits.nameCharacters), kind: DeviceKind(join.kind),
                commitment: join.commitment.isEmpty ? nil : try join.commitment.thirtyTwoBytes("a commitment"))
            request.minimumVersion = join.minVersion
            request.maximumVersion = join.maxVersion
            self = .join(request)
        case .comparison(let comparison)?:
            self = .comparison(
                Comparison(
                    proof: try comparison.proof.thirtyTwoBytes("a proof"),
                    nonce: try comparison.nonce.thirtyTwoBytes("a nonce")))
        case .opening(let opening)?: self = .opening(nonce: try opening.nonce.thirtyTwoBytes("a nonce"))
        case .admission(let admission)?:
            self = .admission(
                Admission(
                    proof: try admission.proof.thirtyTwoBytes("a proof"),
                    roster: RosterUpdate(
                        statements: try admission.roster.native(), secrets: try admission.secrets.native())))
        case .refusal(let refusal)?:
            let code = Failure.Code(rawValue: Int(refusal.code)) ?? .unspecified
            let reason = DisplayText(cleaning: refusal.reason, limit: Limits.reasonCharacters).text
            self = .refusal(Failure(code, reason), triesLeft: Int(refusal.triesLeft))
        case nil: throw WireError(.malformed, "an unknown message of the joining protocol")
        }
    }
}

extension Collection<UInt8> {
    fileprivate func thirtyTwoBytes(_ what: String) throws(WireError) -> [UInt8] {
        guard count == 32 else { throw WireError(.malformed, "\(what) has 32 bytes") }
        return Array(self)
    }
}
