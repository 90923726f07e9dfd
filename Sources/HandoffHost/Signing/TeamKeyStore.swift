// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
package import HandoffTrust
package import HandoffWire

/// This user's team keys, one file each, `TEAMID.pem`, 0600, in a folder, 0700. The daemon never reads them.
package struct TeamKeyStore {
    package static let teams = 256

    private let directory: String

    /// `directory` is `Locations.teamKeys`; `add` creates it.
    package init(directory: String) { self.directory = directory }

    package func path(of id: TeamID) -> String { directory + "/" + Self.name(of: id) }

    /// Sorted. An unreadable file becomes a problem.
    package func list() throws(Failure) -> (teams: [TeamKeyFile], problems: [String]) {
        var teams: [TeamKeyFile] = []
        var problems: [String] = []
        for id in try ids() {
            do throws(Failure) {
                if let file = try read(id) { teams.append(file) }
            } catch {
                problems.append(error.reason)
            }
        }
        return (teams, problems)
    }

    /// Throws `.malformed` if the file is damaged, `.stateNotWritable` if others can read it.
    package func read(_ id: TeamID) throws(Failure) -> TeamKeyFile? {
        guard let bytes = try readBytes(id) else { return nil }
        let file: TeamKeyFile
        do throws(TeamKeyFile.Damage) {
            file = try TeamKeyFile(bytes: bytes)
        } catch {
            throw Failure(.malformed, "\(path(of: id)) is damaged: \(error)")
        }
        guard file.team.id == id else { throw Failure(.malformed, "\(path(of: id)) belongs to team \(file.team.id)") }
        return file
    }

    /// Throws `.notAllowed` rather than overwrite a key of the team.
    package func add(_ key: TeamKey, passphrase: String?) throws(Failure) {
        let bytes = try TeamKeyFile.bytes(of: key, passphrase: passphrase)
        guard try readBytes(key.id) == nil else {
            throw Failure(.notAllowed, "a team \(key.id) already exists, in \(path(of: key.id))")
        }
        guard try ids().count < Self.teams else {
            throw Failure(.limitReached, "\(directory) already holds \(Self.teams) teams")
        }
        try DirectoryStateStore(directory: directory).write(bytes, to: Self.name(of: key.id))
    }

    private func ids() throws(Failure) -> [TeamID] {
        guard access(directory, F_OK) == 0 || errno != ENOENT else { return [] }
        let folder = try PrivateDirectory.open(directory)
        do throws(SystemError) {
            return try folder.folder.entries(atMost: Self.teams + 1).compactMap { name in
                name.hasSuffix(Self.ending) ? try? TeamID(String(name.dropLast(Self.ending.count))) : nil
            }
        } catch {
            throw Failure(.stateNotWritable, "cannot read \(directory): \(error.reason)")
        }
    }

    private func readBytes(_ id: TeamID) throws(Failure) -> [UInt8]? {
        try DirectoryStateStore.existing(directory)?.read(Self.name(of: id))
    }

    private static let ending = ".pem"
    private static func name(of id: TeamID) -> String { id.name + ending }
}
