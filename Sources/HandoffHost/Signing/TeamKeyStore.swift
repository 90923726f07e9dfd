// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
package import HandoffTrust
package import HandoffWire

/// The team keys of this user: one file per team, `TEAMID.pem`, 0600, in their own folder, 0700. The daemon never reads
/// them.
package struct TeamKeyStore {
    /// Limit for one user.
    package static let teams = 256

    private let directory: String

    /// `directory` is `Locations.teamKeys`, created if missing.
    package init(directory: String) { self.directory = directory }

    package func path(of id: TeamID) -> String { directory + "/" + Self.name(of: id) }

    /// Sorted by Team ID. An unreadable file is reported as a problem; the others stay valid.
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

    /// Nil if missing. Throws `.malformed` naming a damaged file, `.stateNotWritable` naming a file that others can
    /// read.
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

    /// Throws `.notAllowed` if the team already has a key, which would be lost.
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
        try DirectoryStateStore(directory: directory).read(Self.name(of: id))
    }

    private static let ending = ".pem"
    private static func name(of id: TeamID) -> String { id.name + ending }
}
