// SPDX-License-Identifier: Apache-2.0

internal import HandoffHost
internal import HandoffTrust
internal import HandoffWire

/// By Team ID, or by an unambiguous name.
struct TeamChoice {
    private let text: String

    init(_ text: String) { self.text = text }

    func choose(from store: TeamKeyStore) throws -> TeamKeyFile {
        if let id = try? TeamID(text), let file = try store.read(id) { return file }
        let named = try store.list().teams.filter { $0.team.name.text.lowercased() == text.lowercased() }
        guard named.count <= 1 else {
            let ids = named.map(\.team.id.name).joined(separator: ", ")
            throw CommandFailure.usage("several teams have that name; say which: \(ids)")
        }
        guard let file = named.first else {
            throw CommandFailure(
                .failed, code: "noTeam", "this device has no key for a team \(DisplayText(cleaning: text).text)",
                advice: "run: handoff team create NAME    or see: handoff team list")
        }
        return file
    }
}
