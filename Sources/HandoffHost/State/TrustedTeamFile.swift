// SPDX-License-Identifier: Apache-2.0

package import HandoffTrust
package import HandoffWire

/// For use while no daemon runs.
package struct TrustedTeamFile {
    private let locations: Locations

    package init(_ locations: Locations) { self.locations = locations }

    /// Throws `.malformed` for a damaged file.
    package func read() throws(Failure) -> TrustedTeams {
        guard let store = try DirectoryStateStore.existing(locations.state) else { return TrustedTeams() }
        return try read(store)
    }

    /// Throws `.notAllowed` if a daemon runs, and errors of `change`.
    package func change(_ change: (inout TrustedTeams) throws(Failure) -> Void) throws(Failure) {
        // Keeps a daemon from starting here.
        let lock = try DaemonLock(path: locations.lock)
        // And on another host, whose takeover during this short change is ignored.
        let state = try StateLock(state: locations.state) { _ in }
        defer { withExtendedLifetime((lock, state)) {} }
        let store = try DirectoryStateStore(directory: locations.state)
        var teams = try read(store)
        try change(&teams)
        try store.write(teams.encoded, to: TrustedTeams.fileName)
    }

    private func read(_ store: DirectoryStateStore) throws(Failure) -> TrustedTeams {
        guard let bytes = try store.read(TrustedTeams.fileName) else { return TrustedTeams() }
        do throws(TrustedTeams.Damage) {
            return try TrustedTeams(bytes: bytes)
        } catch {
            throw Failure(.malformed, "\(TrustedTeams.fileName) in \(locations.state) is damaged: \(error.rawValue)")
        }
    }
}
