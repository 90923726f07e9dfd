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

    /// For the roster's file: as in a frame.
    package func encoded() throws(WireError) -> [UInt8] { try PBSignedStatement(self).bytes() }

    package static func encoded(_ statements: [SignedStatement]) throws(WireError) -> [UInt8] {
        var update = PBRosterUpdate()
        update.statements = statements.map(PBSignedStatement.init)
        return try update.bytes()
    }

    package static func decoded(_ bytes: [UInt8]) throws(WireError) -> [SignedStatement] {
        try PBRosterUpdate.decode(bytes).statements.native()
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
        message.account = (account?.bytes ?? []).data
        message.timeMs = time.milliseconds
        switch kind {
        case .founded(let device, let salt):
            message.founded = .with {
                $0.device = PBDeviceDescription(device)
                $0.salt = salt.data
            }
        case .admitted(let device): message.admitted.device = PBDeviceDescription(device)
        }
        return try message.bytes()
    }

    package init(encoded bytes: [UInt8]) throws(WireError) {
        let message = try PBRosterStatement.decode(bytes)
        let kind: Kind
        switch message.kind {
        case .founded(let founded)?:
            guard founded.salt.count == 32 else { throw WireError(.malformed, "a salt has 32 bytes") }
            kind = .founded(try DeviceDescription(founded.device), salt: Array(founded.salt))
        case .admitted(let admitted)?: kind = .admitted(try DeviceDescription(admitted.device))
        case nil: throw WireError(.unknownKind, "a statement of a kind that this version does not know")
        }
        self.init(
            account: message.account.isEmpty ? nil : try AccountID(bytes: message.account),
            time: WallTime(milliseconds: message.timeMs), kind: kind)
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
            }
        case .admission(let admission):
            frame.admission = .with {
                $0.proof = admission.proof.data
                $0.roster = admission.roster.map(PBSignedStatement.init)
                $0.beaconKey = admission.beaconKey.data
            }
        case .refusal(let failure, let triesLeft):
            frame.refusal = .with {
                $0.code = UInt32(failure.code.rawValue)
                $0.reason = failure.reason
                $0.triesLeft = UInt32(clamping: triesLeft)
            }
        }
        return try frame.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        switch try PBEnrollFrame.decode(bytes).body {
        case .join(let join)?:
            guard join.proof.count == 32 else { throw WireError(.malformed, "a proof has 32 bytes") }
            var request = JoinRequest(
                proof: Array(join.proof), name: DisplayText(cleaning: join.name, limit: Limits.nameCharacters),
                kind: DeviceKind(join.kind))
            request.minimumVersion = join.minVersion
            request.maximumVersion = join.maxVersion
            self = .join(request)
        case .admission(let admission)?:
            guard admission.proof.count == 32, admission.beaconKey.count == 32 else {
                throw WireError(.malformed, "a proof and a key have 32 bytes each")
            }
            self = .admission(
                Admission(
                    proof: Array(admission.proof), roster: try admission.roster.native(),
                    beaconKey: Array(admission.beaconKey)))
        case .refusal(let refusal)?:
            let code = Failure.Code(rawValue: Int(refusal.code)) ?? .unspecified
            let reason = DisplayText(cleaning: refusal.reason, limit: Limits.reasonCharacters).text
            self = .refusal(Failure(code, reason), triesLeft: Int(refusal.triesLeft))
        case nil: throw WireError(.malformed, "an unknown message of the joining protocol")
        }
    }
}
