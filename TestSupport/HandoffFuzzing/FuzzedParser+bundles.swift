// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffHost
internal import HandoffWire

extension FuzzedParser {
    static let bundles = [infoPropertyList, entitlements]

    private static let infoPropertyList = FuzzedParser("info-plist") { bytes in
        try read("Info.plist", bytes) { bundle throws(Failure) in
            let app = try DeclaredApp.read(bundle)
            guard app.executable.hasPrefix(app.path + "/"), !app.name.isEmpty else {
                return "an executable outside its bundle, or no name: \(app.executable)"
            }
            return nil
        }
    }

    private static let entitlements = FuzzedParser("entitlements") { bytes in
        try read("Entitlements.plist", bytes) { bundle throws(Failure) in
            _ = try BundleDeclaration.read(bundle)
            return nil
        }
    }

    /// A bundle in memory with these bytes as one file. `parse` returns a broken promise, or nil.
    private static func read(
        _ name: String, _ bytes: [UInt8], _ parse: (String) throws(Failure) -> String?
    ) throws -> Verdict {
        let folder = BundleOnDisk.shared
        folder.write(name, bytes)
        defer { folder.restore(name) }
        let broken: String?
        do throws(Failure) {
            broken = try parse(folder.apps + "/Notes.app")
        } catch {
            let isClean = DisplayText(cleaning: error.reason, limit: Limits.reasonCharacters).text == error.reason
            try promise(isClean, "a reason that is not clean: \(error.reason)")
            return .refused
        }
        try promise(broken == nil, broken ?? "")
        return .taken
    }
}

private final class BundleOnDisk: Sendable {
    static let shared = BundleOnDisk()

    let apps: String
    private var contents: String { apps + "/Notes.app/Contents/" }

    private static let sound = [
        "Info.plist": """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.notes</string>
        <key>CFBundleExecutable</key><string>Notes</string></dict></plist>
        """,
        "Entitlements.plist": """
        <plist version="1.0"><dict><key>com.apple.developer.team-identifier</key><string>NOTES12345</string></dict></plist>
        """,
        "Linux/Notes": "#!/bin/sh\n",
    ]

    private init() {
        var template = Array("/dev/shm/handoff-fuzz-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("no folder in /dev/shm") }
        apps = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        for folder in ["", "/Contents", "/Contents/Linux"] { mkdir(apps + "/Notes.app" + folder, 0o755) }
        for (name, text) in Self.sound { write(name, Array(text.utf8)) }
        chmod(contents + "Linux/Notes", 0o755)
    }

    func write(_ name: String, _ bytes: [UInt8]) {
        let file = open(contents + name, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count else { fatalError("no file in /dev/shm") }
        close(file)
    }

    func restore(_ name: String) { write(name, Array(Self.sound[name]!.utf8)) }
}
