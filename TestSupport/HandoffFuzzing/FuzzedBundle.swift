// SPDX-License-Identifier: Apache-2.0

import Glibc
package import HandoffTrust
package import HandoffWire

/// The bundle for untrusted signatures.
package enum FuzzedBundle {
    /// In 2027, while the certificates of the kept signatures are valid.
    package static let time = WallTime(milliseconds: 1_800_000_000_000)

    package static let manifest: BundleManifest = {
        let text = """
            handoff-manifest/1
            bundle\tcom.example.notes
            version\t1.0
            entitlement\tcom.apple.developer.associated-domains\tactivitycontinuation:example.com
            file\t644\t5\t\(String(repeating: "0a", count: 32))\tContents/Info.plist
            file\t755\t10\t\(String(repeating: "b1", count: 32))\tContents/Linux/Notes
            link\tContents/Linux/notes-link\tNotes
            folder\tContents/Resources

            """
        do { return try BundleManifest(bytes: Array(text.utf8)) } catch { fatalError("no manifest: \(error)") }
    }()
}

func environment(_ variable: String) -> String? { getenv(variable).map { String(cString: $0) } }
