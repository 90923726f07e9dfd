// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct AccountLog: Verb {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show who admitted, renamed and removed which device, and when.",
        discussion: """
            Times are from the clock of the device that made the change. A change in brackets is not valid: a removed device \
            made it, or the account has been recovered since.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let entries = try common.connect().ask(.identity(.showLog)) {
            if case .identity(.log(let entries)) = $0 { entries } else { nil }
        }
        output.show(Listing(entries.map(ShownEntry.init), ifEmpty: "no history"))
    }
}

private struct ShownEntry: Listed {
    static let columns: [Table.Column] = ["TIME", .elastic("FROM"), "WHAT"]

    let what: String
    let time: String
    let device: String
    let name: String
    let newName: String?
    let by: String?
    let byName: String?
    let counts: Bool
    let local: String

    enum CodingKeys: String, CodingKey {
        case what, time, device, name, newName, by, byName, counts
    }

    init(_ entry: AccountLogEntry) {
        switch entry.what {
        case .founded: (what, newName) = ("founded", nil)
        case .admitted: (what, newName) = ("admitted", nil)
        case .renamed(let name): (what, newName) = ("renamed", name.text)
        case .removed: (what, newName) = ("removed", nil)
        case .recovered: (what, newName) = ("recovered", nil)
        }
        time = entry.time.iso8601
        local = entry.time.local
        device = entry.device.description
        name = entry.name.text
        by = entry.by?.description
        byName = entry.by == nil ? nil : entry.byName?.text ?? entry.by?.short
        counts = entry.counts
    }

    var cells: [String] { [local, byName ?? "recovery key", counts ? words : "(\(words))"] }

    private var words: String {
        let whom = "\(name) (\(device.prefix(7)))"
        return switch what {
        case "founded": "founded the account with \(whom)"
        case "recovered": "recovered the account with \(whom)"
        case "renamed": "renamed \(device.prefix(7)) to \(newName ?? "")"
        default: "\(what) \(whom)"
        }
    }
}
