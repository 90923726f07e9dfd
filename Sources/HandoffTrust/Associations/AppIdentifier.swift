// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// An app as a site names it: `NOTES12345.com.example.notes`. The ten letters are not proof: who asks has compared the
/// key of the team before.
package struct AppIdentifier: Hashable, Sendable, CustomStringConvertible {
    package let team: TeamID
    package let bundle: BundleID

    package init(team: TeamID, bundle: BundleID) {
        self.team = team
        self.bundle = bundle
    }

    package init(_ text: String) throws(WireError) {
        guard let dot = text.firstIndex(of: ".") else {
            throw WireError(.badIdentifier, "an app is a Team ID, a dot and a bundle identifier")
        }
        team = try TeamID(String(text[..<dot]))
        bundle = try BundleID(String(text[text.index(after: dot)...]))
    }

    package var description: String { "\(team.name).\(bundle.name)" }
}
