// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffTrust
internal import HandoffWire

/// The files that belong to the daemon and that commands read and write themselves.
struct DaemonFiles {
    let locations: Locations
    /// A daemon has named these places. If not, a daemon that this shell starts would use them.
    let areConfirmed: Bool

    /// After `path` was changed.
    func noteChange(of path: String, _ output: Output) {
        guard !areConfirmed else { return }
        output.remark("written to \(path), but no handoffd answers to confirm that it looks there")
    }

    func noteChangeOfTeams(_ output: Output) {
        noteChange(of: locations.state + "/" + TrustedTeams.fileName, output)
    }
}

extension CommonOptions {
    /// Asks the daemon, whose environment may differ from this shell's. If it does not answer, its settings can still be
    /// mended.
    var files: DaemonFiles {
        let places = try? connect().welcome.places
        return DaemonFiles(locations: places.map(locations.at) ?? locations, areConfirmed: places != nil)
    }
}
