// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffTrust
internal import HandoffWire

/// Files that commands read and write directly.
struct DaemonFiles {
    let locations: Locations
    /// True if a daemon reported these locations; otherwise a daemon started by this shell would use them.
    let areConfirmed: Bool

    func noteChange(of path: String, _ output: Output) {
        guard !areConfirmed else { return }
        output.remark("written to \(path), but no handoffd answers to confirm that it reads this file")
    }

    func noteChangeOfTeams(_ output: Output) {
        noteChange(of: locations.state + "/" + TrustedTeams.fileName, output)
    }
}

extension CommonOptions {
    /// Asks the daemon, whose environment may differ from this shell's. Without an answer, its settings can still be
    /// repaired.
    var files: DaemonFiles {
        let places = try? connect().welcome.places
        return DaemonFiles(locations: places.map(locations.at) ?? locations, areConfirmed: places != nil)
    }
}
