// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire

/// The value of `FileManager.ubiquityIdentityToken`, by which an app detects a change of the user. It is equal for all
/// apps of a team on all devices of an account. It differs between teams, so that two teams cannot correlate users.
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
