// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

/// Random keys in every run.
enum Teams {
    static let now = WallTime(milliseconds: 1_772_366_400_000)
    static let notes = team("Notes Makers", "NOTES12345")
    /// The same ten letters, but a different key.
    static let impostor = team("Notes Makers", "NOTES12345")

    static func team(_ name: String, _ id: String, at time: WallTime = now) -> TeamKey {
        do {
            return try TeamKey.create(name: DisplayText(cleaning: name), id: try TeamID(id), at: time)
        } catch {
            preconditionFailure("not a team: \(error)")
        }
    }
}

extension BundleManifest {
    static func sample(version: String = "1.0", team: String? = "NOTES12345") throws -> BundleManifest {
        try BundleManifest(
            bundle: try BundleID("com.example.notes"), version: version,
            entitlements: try BundleEntitlements(team: try team.map { try TeamID($0) }),
            entries: try [
                .file("Contents/Info.plist"), .file("Contents/Linux/Notes", isExecutable: true),
                .link("Contents/Resources/latest", "en/text"), .file("Contents/Resources/en/text"),
            ].sorted { $0.path < $1.path })
    }
}

extension BundleManifest.Entry {
    static func file(_ path: String, isExecutable: Bool = false, size: Int64 = 4) throws -> Self {
        Self(
            path: try BundlePath(path),
            content: .file(
                isExecutable: isExecutable, size: size,
                digest: FileDigest(uncheckedBytes: [UInt8](repeating: 7, count: 32))))
    }

    static func link(_ path: String, _ target: String) throws -> Self {
        Self(path: try BundlePath(path), content: .link(target: target))
    }
}
