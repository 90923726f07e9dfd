// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Takes part through another author's adapter. The administrator installs the file, `ENTRY.json`; see
/// docs/adapters.md.
package struct ProgramDescription: Hashable, Sendable {
    /// In each of `XDG_DATA_DIRS`. The first file with a name takes effect.
    package static let folder = "handoff/programs"
    package static let suffix = ".json"
    package static let fileBytes = 16 * 1024
    /// In all folders.
    package static let files = 256
    package static let clauseCharacters = 200

    /// The adapter owns this name on the bus, which starts it.
    package static let adapterPrefix = "org.handoff.Adapter."

    package let entry: String
    package let activityType: ActivityType
    /// A path, or a name in the system's folders.
    package let executable: String
    package let arguments: OpeningArguments
    /// A clause on which the user decides.
    package let reads: String
    /// A clause: these things do not continue.
    package let loses: String
    /// A clause about additions to the program that let the adapter read it. Nil: none.
    package let needs: String?

    package struct Problem: Error, Hashable, Sendable {
        package let reason: String

        package init(_ reason: String) { self.reason = reason }
    }

    /// Throws a clause to follow the file's name.
    package init(_ bytes: [UInt8], entry: String) throws(Problem) {
        guard KnownProgram.of(entry: entry) == nil else {
            throw Problem("describes \(entry), for which Handoff has its own adapter")
        }
        guard (try? BundleID(systemProgram: entry)) != nil, Self.isPartOfBusName(entry) else {
            throw Problem("is not named after a desktop entry that can be part of a name on the bus")
        }
        let tree: JSONTree
        do throws(JSONSlip) { tree = try JSONReader.read(bytes) } catch {
            throw Problem("is not JSON: \(error.description)")
        }
        guard case .object(let members) = tree else { throw Problem("is not a JSON object") }
        let known = ["type", "executable", "arguments", "reads", "loses", "needs"]
        if let unknown = members.first(where: { !known.contains($0.key.text) }) {
            throw Problem("has the unknown key \(DisplayText(cleaning: unknown.key.text, limit: 40))")
        }
        func text(_ key: String) throws(Problem) -> String {
            guard case .string(let text)? = tree[ExactText(key)], !text.isEmpty else {
                throw Problem("has no text \(key)")
            }
            return text
        }
        func clause(_ key: String) throws(Problem) -> String {
            let text = try text(key)
            guard DisplayText(cleaning: text, limit: Self.clauseCharacters).text == text else {
                throw Problem("has a text \(key) that is not one line of at most \(Self.clauseCharacters) characters")
            }
            return text
        }
        self.entry = entry
        let type = try text("type")
        do throws(WireError) { activityType = try ActivityType(type) } catch {
            throw Problem("has an unusable type: \(error.reason)")
        }
        executable = try text("executable")
        guard executable.utf8.count <= OpeningArguments.bytes, !executable.utf8.contains(0) else {
            throw Problem("has an executable of more than \(OpeningArguments.bytes) bytes")
        }
        (reads, loses) = (try clause("reads"), try clause("loses"))
        needs = members.contains { $0.key.text == "needs" } ? try clause("needs") : nil
        guard case .list(let list)? = members.first(where: { $0.key.text == "arguments" })?.value else {
            throw Problem("has no list arguments")
        }
        let templates = list.compactMap { if case .string(let text) = $0 { text } else { nil } }
        guard templates.count == list.count else { throw Problem("has an argument that is not a text") }
        do throws(OpeningArguments.Problem) {
            arguments = try OpeningArguments(templates)
        } catch {
            throw Problem("has \(error.reason)")
        }
    }

    /// Every part of a name on the bus begins with a letter, `-` or `_`.
    private static func isPartOfBusName(_ entry: String) -> Bool {
        (adapterPrefix + entry).utf8.count <= 255
            && entry.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
                part.utf8.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
            }
    }
}
