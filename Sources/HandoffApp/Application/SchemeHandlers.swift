// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Which schemes of URLs the programs of this desktop open, as the MIME Application Specification has it written down:
/// `x-scheme-handler/mailto=thunderbird.desktop;` in `mimeapps.list` and `mimeinfo.cache`.
struct SchemeHandlers {
    /// Where a sandbox hides the lists, its portal opens these.
    private static let ofEveryDesktop: Set = ["http", "https", "mailto"]

    private let files: [String]
    private let isSandboxed: Bool

    init(environment: [String: String], isSandboxed: Bool = FileManager.default.fileExists(atPath: "/.flatpak-info")) {
        func folders(_ variable: String, or fallback: String) -> [String] {
            let value = environment[variable].flatMap { $0.isEmpty ? nil : $0 } ?? fallback
            return value.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
        let home = environment["HOME"] ?? "/"
        let settings = folders("XDG_CONFIG_HOME", or: home + "/.config") + folders("XDG_CONFIG_DIRS", or: "/etc/xdg")
        let data =
            (folders("XDG_DATA_HOME", or: home + "/.local/share")
            + folders("XDG_DATA_DIRS", or: "/usr/local/share:/usr/share")).map { $0 + "/applications" }
        let lists =
            (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":").map { "\($0.lowercased())-mimeapps.list" }
            + ["mimeapps.list"]
        files =
            (settings + data).flatMap { folder in lists.map { "\(folder)/\($0)" } }
            + data.map { $0 + "/mimeinfo.cache" }
        self.isSandboxed = isSandboxed
    }

    func isHandled(_ scheme: String) -> Bool {
        if isSandboxed { return Self.ofEveryDesktop.contains(scheme.lowercased()) }
        return files.contains { file in
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return false }
            return Self.names(scheme, in: text)
        }
    }

    /// Whether a list says that a program opens it. What a list takes away from other lists says nothing.
    static func names(_ scheme: String, in list: String) -> Bool {
        let key = "x-scheme-handler/" + scheme.lowercased()
        var isAdded = false
        for line in list.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                isAdded = line != "[Removed Associations]"
            } else if isAdded, let equals = line.firstIndex(of: "="),
                line[..<equals].trimmingCharacters(in: .whitespaces).lowercased() == key
            {
                let programs = line[line.index(after: equals)...].split(separator: ";")
                if programs.contains(where: { !$0.allSatisfy(\.isWhitespace) }) { return true }
            }
        }
        return false
    }
}
