// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire

struct ShownTeam: Renderable {
    let team: String
    let name: String
    let key: String
    let encrypted: Bool
    let expires: String
    let file: String
    let grouped: String

    enum CodingKeys: String, CodingKey {
        case team, name, key, encrypted, expires, file
    }

    init(_ certificate: TeamCertificate, isEncrypted: Bool, file: String) {
        team = certificate.id.name
        name = certificate.name.text
        key = certificate.fingerprint.hex
        grouped = certificate.fingerprint.grouped
        encrypted = isEncrypted
        expires = certificate.validUntil.iso8601
        self.file = file
    }

    func text(_ terminal: Terminal) -> String {
        """
        team  \(name) (\(team))
        key   \(grouped)
        file  \(file)
        """
    }
}
