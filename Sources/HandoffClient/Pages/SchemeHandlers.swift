// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// The desktop's programs for the schemes of URLs: `x-scheme-handler/mailto=thunderbird.desktop;`.
package struct SchemeHandlers {
    /// A sandbox's portal opens these, although the sandbox hides the lists.
    private static let ofEveryDesktop: Set = ["http", "https", "mailto"]
    /// Bytes.
    private static let entryBytes = 256 * 1024

    private let associations: MIMEAssociations
    private let folders: [String]
    private let isSandboxed: Bool

    package init(environment: [String: String], isSandboxed: Bool = access("/.flatpak-info", F_OK) == 0) {
        associations = MIMEAssociations(environment: environment)
        folders = UserDataFolders(environment).data.map { $0 + "/applications" }
        self.isSandboxed = isSandboxed
    }

    private static func type(of scheme: String) -> String { "x-scheme-handler/" + scheme.lowercased() }

    package func isHandled(_ scheme: String) -> Bool {
        isSandboxed
            ? Self.ofEveryDesktop.contains(scheme.lowercased()) : associations.isOpened(Self.type(of: scheme))
    }

    /// The default program's bus name. Nil if its entry lacks `DBusActivatable`, or in a sandbox, which may not call
    /// it.
    package func busName(for scheme: String) -> String? {
        guard !isSandboxed, let (id, entry) = defaultProgram(for: scheme), entry["DBusActivatable"] == "true",
            id.hasSuffix(".desktop")
        else { return nil }
        let name = String(id.dropLast(".desktop".count))
        return name.isBusName ? name : nil
    }

    private func defaultProgram(for scheme: String) -> (id: String, entry: [Substring: Substring])? {
        let type = Self.type(of: scheme)
        return (associations.programs(for: [type], all: true)[type] ?? []).lazy
            .compactMap { id in entry(id).map { (id, $0) } }.first
    }

    /// Nil if the entry is missing or hidden.
    private func entry(_ id: String) -> [Substring: Substring]? {
        // From the front, each dash may be a folder separator.
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        let places = parts.indices.map {
            parts[...$0].joined(separator: "/") + parts[($0 + 1)...].map { "-\($0)" }.joined()
        }
        for folder in folders {
            for place in places where !id.contains("/") {
                guard let bytes = try? UserFile(path: "\(folder)/\(place)").read(limit: Self.entryBytes) else {
                    continue
                }
                var entry: [Substring: Substring] = [:]
                String(decoding: bytes, as: UTF8.self).forEachSetting { group, key, value in
                    if group == "[Desktop Entry]" { entry[key] = value }
                }
                return entry["Hidden"] == "true" ? nil : entry
            }
        }
        return nil
    }
}
