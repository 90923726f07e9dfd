// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffTrust
internal import HandoffWire

/// Read and written directly.
struct DaemonFiles {
    let locations: Locations
    /// Reported by a daemon; otherwise, what a daemon started by this shell would use.
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
    /// From the daemon, whose environment may differ. Without an answer, its settings can still be repaired.
    var files: DaemonFiles {
        let places = try? connect().welcome.places
        return DaemonFiles(locations: places.map(locations.at) ?? locations, areConfirmed: places != nil)
    }
}
