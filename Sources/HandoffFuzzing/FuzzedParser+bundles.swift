// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffHost
internal import HandoffWire
internal import Logging

extension FuzzedParser {
    /// What is read of an app bundle.
    static let bundles = [infoPropertyList, entitlements]

    private static let infoPropertyList = FuzzedParser("info-plist") { bytes in
        try read("Info.plist", bytes)
    }

    private static let entitlements = FuzzedParser("entitlements") { bytes in
        try read("Entitlements.plist", bytes)
    }

    /// A bundle in memory, of which one file has these bytes: it counts, or is a problem with its reason.
    private static func read(_ name: String, _ bytes: [UInt8]) throws -> Verdict {
        let folder = BundleOnDisk.shared
        folder.write(name, bytes)
        defer { folder.restore(name) }
        let catalog = BundleCatalog(
            directory: folder.apps, log: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
        catalog.reload()
        try promise(catalog.apps.count + catalog.problems.count == 1, "one bundle, and not one answer")
        for problem in catalog.problems {
            let isClean = DisplayText(cleaning: problem, limit: Limits.reasonCharacters).text == problem
            try promise(isClean, "a reason that is not clean: \(problem)")
        }
        guard let app = catalog.apps.first else { return .refused }
        try promise(app.executable.hasPrefix(app.path + "/"), "an executable outside its bundle: \(app.executable)")
        try promise(!app.name.isEmpty, "an app without a name")
        return .taken
    }
}

/// `Notes.app` in a folder of this process, in memory.
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
