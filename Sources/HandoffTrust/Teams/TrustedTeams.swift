// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// In the order of trusting. In a file:
///
///     "handoff-teams/1\n" | for each: time, 8 | length, 4 | certificate, DER | SHA-256 of all before, 32
///
/// Times are milliseconds since 1970, numbers big-endian. Never sent.
package struct TrustedTeams: Hashable, Sendable {
    package static let fileName = "trusted-teams"
    static let maximumTeams = 256

    package struct Entry: Hashable, Sendable {
        package let certificate: TeamCertificate
        package let since: WallTime
    }

    package private(set) var entries: [Entry] = []

    package init() {}

    package func entry(_ key: TeamFingerprint) -> Entry? { entries.first { $0.certificate.fingerprint == key } }

    /// The user trusted both key and ID.
    package func isTrusted(_ team: DeveloperTeam) -> Bool { entry(team.key)?.certificate.team == team }

    /// Replaces another certificate of the key. Throws `.limitReached`.
    package mutating func trust(_ certificate: TeamCertificate, at time: WallTime) throws(Failure) {
        let new = Entry(certificate: certificate, since: time)
        if let index = entries.firstIndex(where: { $0.certificate.fingerprint == certificate.fingerprint }) {
            if entries[index].certificate != certificate { entries[index] = new }
            return
        }
        guard entries.count < Self.maximumTeams else {
            throw Failure(.limitReached, "\(Self.maximumTeams) teams are already trusted")
        }
        entries.append(new)
    }

    package mutating func distrust(_ key: TeamFingerprint) -> Entry? {
        entries.firstIndex { $0.certificate.fingerprint == key }.map { entries.remove(at: $0) }
    }
}

extension TeamCertificate {
    package var team: DeveloperTeam { DeveloperTeam(id: id, key: fingerprint) }
}

extension TrustedTeams {
    package enum Damage: String, Error, Hashable, Sendable {
        case notAList = "it is not a list of teams of this version"
        case checksum = "its checksum does not match"
        case certificate = "it holds a certificate that is not a team's"
    }

    package var encoded: [UInt8] {
        var bytes = Self.heading
        for entry in entries {
            let certificate = entry.certificate.der
            bytes += Self.bigEndian(UInt64(bitPattern: entry.since.milliseconds), count: 8)
            bytes += Self.bigEndian(UInt64(certificate.count), count: 4) + certificate
        }
        return bytes + Array(SHA256.hash(data: bytes))
    }

    package init(bytes: [UInt8]) throws(Damage) {
        guard bytes.count >= Self.heading.count + 32, bytes.starts(with: Self.heading) else { throw .notAList }
        let end = bytes.count - 32
        guard SHA256.hash(data: bytes[..<end]).elementsEqual(bytes[end...]) else { throw .checksum }
        var rest = bytes[Self.heading.count..<end]
        while !rest.isEmpty {
            guard rest.count >= 12 else { throw .notAList }
            let since = WallTime(milliseconds: Int64(bitPattern: Self.number(rest.prefix(8))))
            let length = Int(Self.number(rest.dropFirst(8).prefix(4)))
            guard rest.count >= 12 + length else { throw .notAList }
            let certificate: TeamCertificate
            do throws(TeamRejection) {
                certificate = try TeamCertificate(der: Array(rest.dropFirst(12).prefix(length)))
            } catch {
                throw .certificate
            }
            do throws(Failure) { try trust(certificate, at: since) } catch { throw .notAList }
            rest = rest.dropFirst(12 + length)
        }
    }

    private static let heading = Array("handoff-teams/1\n".utf8)

    private static func bigEndian(_ number: UInt64, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
