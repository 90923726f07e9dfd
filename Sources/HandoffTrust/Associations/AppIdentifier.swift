// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// `NOTES12345.com.example.notes`. Anyone can choose the ten letters, so the caller must have compared the team's key.
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
