// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire

/// By which an app tells whether it still speaks for the same person: `FileManager.ubiquityIdentityToken`. The same for
/// all apps of a team on all devices of an account; another team's is another, so that two of them cannot compare.
enum AccountToken {
    private static let purpose = Array("handoff account token 1".utf8)

    static func bytes(of account: AccountID, for team: Team) -> [UInt8] {
        let teamBytes: [UInt8] =
            switch team {
            case .personal: []
            case .developer(let team): Array(team.id.name.utf8) + team.key.bytes
            }
        return FileDigest(of: purpose + account.bytes + teamBytes).bytes
    }
}
