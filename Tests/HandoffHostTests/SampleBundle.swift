// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A bundle on disk that a test can damage.
struct SampleBundle {
    var identifier: String? = "com.example.notes"
    var executable: String? = "Notes"
    var version = "1.0"
    var types = ["com.example.notes.editing"]
    var team: String? = "NOTES12345"
    var domains: [String] = []
    /// `com.apple.developer.ubiquity-container-identifiers` and `…icloud-container-identifiers`.
    var containers: [String] = []
    var cloudContainers: [String] = []
    /// Inserted into Info.plist unchanged.
    var extraKeys = ""
    var script = "#!/bin/sh\nexit 0\n"

    var info: String {
        let identifier = identifier.map { "<key>CFBundleIdentifier</key><string>\($0)</string>" } ?? ""
        let executable = executable.map { "<key>CFBundleExecutable</key><string>\($0)</string>" } ?? ""
        let types = types.map { "<string>\($0)</string>" }.joined()
        return Self.plist(
            """
            <dict>\(identifier)\(executable)<key>CFBundleName</key><string>Notes</string>
            <key>CFBundleShortVersionString</key><string>\(version)</string>
            <key>NSUserActivityTypes</key><array>\(types)</array>\(extraKeys)</dict>
            """)
    }

    static func plist(_ content: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">\(content)</plist>
        """
    }

    /// Empty for no values.
    private static func array(_ key: String, _ values: [String]) -> String {
        guard !values.isEmpty else { return "" }
        return "<key>\(key)</key><array>\(values.map { "<string>\($0)</string>" }.joined())</array>"
    }

    /// Returns its path.
    @discardableResult
    func write(_ name: String, in home: TemporaryDirectory) throws -> String {
        try home.file("\(name)/Contents/Info.plist", info)
        if let team {
            let entitlement = "<key>com.apple.developer.team-identifier</key><string>\(team)</string>"
            let claims =
                Self.array("com.apple.developer.associated-domains", domains)
                + Self.array("com.apple.developer.ubiquity-container-identifiers", containers)
                + Self.array("com.apple.developer.icloud-container-identifiers", cloudContainers)
            try home.file("\(name)/Contents/Entitlements.plist", Self.plist("<dict>\(entitlement)\(claims)</dict>"))
        }
        try home.file("\(name)/Contents/Linux/Notes", script, mode: 0o700)
        return home.path(name)
    }
}
