// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffHost
internal import HandoffTrust
internal import HandoffWire

struct TeamList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the teams you sign apps for and the teams trusted on this device.",
        discussion: "Works without a daemon. Keys that cannot be read are reported on standard error.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let store = TeamKeyStore(directory: common.files.locations.teamKeys)
        let (own, problems) = try store.list()
        let trusted = try TeamBook(common).trusted()
        let ours = own.map { file in
            ListedTeam(
                ShownTeam(file.team, isEncrypted: file.isEncrypted, file: store.path(of: file.team.id)),
                trust: trusted.first { $0.team == file.team.team })
        }
        let others = trusted.filter { trust in !own.contains { $0.team.team == trust.team } }.map(ListedTeam.init)
        output.show(Listing(ours + others, ifEmpty: "no teams; create one with: handoff team create NAME"))
        for problem in problems { output.remark("ignored: \(problem)") }
    }
}

private struct ListedTeam: Listed {
    static let columns: [Table.Column] = [.elastic("NAME"), "TEAM", "YOU SIGN", "TRUSTED", "KEY"]

    let team: String
    let name: String
    let key: String
    let own: Bool
    let trusted: Bool
    let trustedSince: String?
    let apps: Int?
    let encrypted: Bool?
    let expires: String?
    let file: String?
    private let grouped: String

    enum CodingKeys: String, CodingKey {
        case team, name, key, own, trusted, trustedSince, apps, encrypted, expires, file
    }

    init(_ shown: ShownTeam, trust: TeamSummary?) {
        (team, name, key, grouped) = (shown.team, shown.name, shown.key, shown.grouped)
        (own, trusted) = (true, trust != nil)
        (trustedSince, apps) = (trust?.trustedSince.iso8601, trust?.apps)
        (encrypted, expires, file) = (shown.encrypted, shown.expires, shown.file)
    }

    init(_ trust: TeamSummary) {
        let shown = ShownTrust(trust)
        (team, name, key, grouped) = (shown.team, shown.name, shown.key, shown.grouped)
        (own, trusted) = (false, true)
        (trustedSince, apps) = (shown.trustedSince, shown.apps)
        (encrypted, expires, file) = (nil, nil, nil)
    }

    var cells: [String] {
        let signing = own ? (encrypted == true ? "yes, with a passphrase" : "yes") : "no"
        return [name, team, signing, trusted ? "yes" : "no", grouped]
    }
}
