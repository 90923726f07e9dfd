// SPDX-License-Identifier: Apache-2.0

/// The MIME Application Specification: `video/mp4=vlc.desktop;`. Reads files at each question.
package struct MIMEAssociations {
    /// Bytes.
    private static let listBytes = 4 * 1024 * 1024

    /// `mimeapps.list` of the user and the system, in order of precedence.
    private let choices: [String]
    /// `mimeinfo.cache`: each program that opens a type. Large.
    private let caches: [String]

    package init(environment: [String: String]) {
        let folders = UserDataFolders(environment)
        let data = folders.data.map { $0 + "/applications" }
        let names =
            (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":").map { "\($0.lowercased())-mimeapps.list" }
            + ["mimeapps.list"]
        choices = (folders.settings + data).flatMap { folder in names.map { "\(folder)/\($0)" } }
        caches = data.map { $0 + "/mimeinfo.cache" }
    }

    /// Identifiers of entries, with `.desktop`, which may not exist; the default first. Without `all`, only from
    /// `mimeapps.list`, which are small files.
    package func programs(for types: Set<String>, all: Bool) -> [String: [String]] {
        let lists = (choices + (all ? caches : [])).map { Self.lines(of: types, in: Self.text(of: $0)) }
        return types.reduce(into: [:]) { found, type in
            let lines = lists.map { $0[type] ?? Lines() }
            var removed: Set<String> = []
            let others = lines.flatMap { list in
                defer { removed.formUnion(list.removed) }
                return list.added.filter { !removed.contains($0) }
            }
            found[type] = lines.flatMap(\.preferred) + others
        }
    }

    /// Ignores removed associations.
    package func isOpened(_ type: String) -> Bool {
        (choices + caches).contains { list in
            let lines = Self.lines(of: [type], in: Self.text(of: list))[type] ?? Lines()
            return !lines.preferred.isEmpty || !lines.added.isEmpty
        }
    }

    private static func text(of path: String) -> String {
        String(decoding: (try? UserFile(path: path).read(limit: listBytes)) ?? [], as: UTF8.self)
    }

    private struct Lines {
        var preferred: [String] = []
        var added: [String] = []
        var removed: [String] = []
    }

    private static func lines(of types: Set<String>, in list: String) -> [String: Lines] {
        var found: [String: Lines] = [:]
        list.forEachSetting { group, key, value in
            let type = key.lowercased()
            guard let group, types.contains(type) else { return }
            let programs = value.split(separator: ";").map { String($0.trimmed) }.filter { !$0.isEmpty }
            switch group {
            case "[Default Applications]": found[type, default: Lines()].preferred += programs
            case "[Removed Associations]": found[type, default: Lines()].removed += programs
            default: found[type, default: Lines()].added += programs
            }
        }
        return found
    }
}

extension String {
    /// `group`: with its brackets; nil before the first.
    package func forEachSetting(_ body: (_ group: Substring?, _ key: Substring, _ value: Substring) -> Void) {
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
