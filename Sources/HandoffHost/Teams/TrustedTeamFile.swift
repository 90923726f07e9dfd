// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffTrust
package import HandoffWire

/// The list of trusted teams where no daemon runs that would have it in hand.
package struct TrustedTeamFile {
    private let locations: Locations

    package init(_ locations: Locations) { self.locations = locations }

    /// Throws `.malformed` for a damaged file.
    package func read() throws(Failure) -> TrustedTeams {
        guard access(locations.state, F_OK) == 0 else { return TrustedTeams() }
        return try read(DirectoryStateStore(directory: locations.state, isOnlyWriter: false))
    }

    /// Changes the list in the daemon's stead. Throws `.notAllowed` where a daemon runs, and what `change` throws.
    package func change(_ change: (inout TrustedTeams) throws(Failure) -> Void) throws(Failure) {
        // As long as it is held no daemon starts.
        let lock = try DaemonLock(path: locations.lock)
        // Nor on another host. Half a second of work is not worth a word if that host takes over.
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
