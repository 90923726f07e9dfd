// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// Reads the lists of the MIME Application Specification, `mimeapps.list` and `mimeinfo.cache`:
/// `x-scheme-handler/mailto=thunderbird.desktop;`.
package struct SchemeHandlers {
    /// A sandbox's portal opens these, although the sandbox hides the lists.
    private static let ofEveryDesktop: Set = ["http", "https", "mailto"]
    /// Bytes.
    private static let listBytes = 4 * 1024 * 1024
    /// Bytes.
    private static let entryBytes = 256 * 1024

    /// In order of precedence: `mimeapps.list` of the user and the system, then `mimeinfo.cache`.
    private let lists: [String]
    private let folders: [String]
    private let isSandboxed: Bool

    package init(environment: [String: String], isSandboxed: Bool = access("/.flatpak-info", F_OK) == 0) {
        let folders = UserDataFolders(environment)
        let data = folders.data.map { $0 + "/applications" }
        let names =
            (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":").map { "\($0.lowercased())-mimeapps.list" }
            + ["mimeapps.list"]
        lists =
            (folders.settings + data).flatMap { folder in names.map { "\(folder)/\($0)" } }
            + data.map { $0 + "/mimeinfo.cache" }
        self.folders = data
        self.isSandboxed = isSandboxed
    }

    package func isHandled(_ scheme: String) -> Bool {
        if isSandboxed { return Self.ofEveryDesktop.contains(scheme.lowercased()) }
        return lists.contains { list in Self.text(of: list, Self.listBytes).map { Self.names(scheme, in: $0) } ?? false
        }
    }

    /// The default program's bus name. Nil without one, if its entry lacks `DBusActivatable`, or in a sandbox, which
    /// may not call it.
    package func busName(for scheme: String) -> String? {
        guard !isSandboxed, let (id, entry) = defaultProgram(for: scheme), entry["DBusActivatable"] == "true",
            id.hasSuffix(".desktop")
        else { return nil }
        let name = String(id.dropLast(".desktop".count))
        return name.isBusName ? name : nil
    }

    private func defaultProgram(for scheme: String) -> (id: String, entry: [Substring: Substring])? {
        let all = lists.compactMap { Self.text(of: $0, Self.listBytes) }.map { Associations(of: scheme, in: $0) }
        var removed: Set<String> = []
        let others = all.flatMap { list in
            defer { removed.formUnion(list.removed) }
            return list.added.filter { !removed.contains($0) }
        }
        return (all.flatMap(\.preferred) + others).lazy.compactMap { id in entry(id).map { (id, $0) } }.first
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
                guard let text = Self.text(of: "\(folder)/\(place)", Self.entryBytes) else { continue }
                var entry: [Substring: Substring] = [:]
                text.forEachValue { group, key, value in if group == "[Desktop Entry]" { entry[key] = value } }
                return entry["Hidden"] == "true" ? nil : entry
            }
        }
        return nil
    }

    private static func text(of path: String, _ limit: Int) -> String? {
        guard let bytes = try? UserFile(path: path).read(limit: limit) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Ignores removed associations.
    package static func names(_ scheme: String, in list: String) -> Bool {
        let associations = Associations(of: scheme, in: list)
        return !associations.preferred.isEmpty || !associations.added.isEmpty
    }
}

private struct Associations {
    var preferred: [String] = []
    var added: [String] = []
    var removed: [String] = []

    init(of scheme: String, in list: String) {
        let wanted = "x-scheme-handler/" + scheme.lowercased()
        list.forEachValue { group, key, value in
            guard let group, key.lowercased() == wanted else { return }
            let programs = value.split(separator: ";").map { String($0.trimmed) }.filter { !$0.isEmpty }
            switch group {
            case "[Default Applications]": preferred += programs
            case "[Removed Associations]": removed += programs
            default: added += programs
            }
        }
    }
}

extension String {
    /// `group`: with its brackets; nil before the first.
    fileprivate func forEachValue(_ body: (_ group: Substring?, _ key: Substring, _ value: Substring) -> Void) {
        var group: Substring?
        for line in split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                group = line.trimmed
            } else if !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
                body(group, line[..<equals].trimmed, line[line.index(after: equals)...].trimmed)
            }
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex
        return self[..<end].drop(while: \.isWhitespace)
    }
}
