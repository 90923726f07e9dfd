// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem

/// GTK's list of opened files: the Desktop Bookmark Specification.
package struct RecentFiles: Sendable {
    static let maximumBytes = 4 << 20

    let folder: String
    let name: String
    /// The program's name in it. Nil: the list is the program's own.
    let application: String?

    /// Blocks. The URL of the file that the program opened last.
    func latest() -> String? {
        guard let file = try? OpenFile.open("\(folder)/\(name)", O_RDONLY | O_NONBLOCK) else { return nil }
        var status = stat()
        guard fstat(file.descriptor, &status) == 0, status.kind == S_IFREG,
            let bytes = try? file.readAll(limit: Self.maximumBytes)
        else { return nil }
        return Self.latest(in: String(decoding: bytes, as: UTF8.self), by: application)
    }

    /// Times are UTC in one format, so their texts are in order.
    package static func latest(in list: String, by application: String?) -> String? {
        var latest: (time: Substring, url: Substring)?
        for bookmark in list.split(separator: "<bookmark ", omittingEmptySubsequences: false).dropFirst() {
            guard let url = attribute("href", of: bookmark), url.hasPrefix("file:") else { continue }
            var time = attribute("modified", of: bookmark)
            if let application {
                let opened = bookmark.split(separator: "<bookmark:application ", omittingEmptySubsequences: false)
                    .dropFirst()
                    .first { attribute("name", of: $0) == application[...] }
                time = opened.flatMap { attribute("modified", of: $0) }
            }
            if let time, time >= latest?.time ?? "" { latest = (time, url) }
        }
        return latest.map { unescaped($0.url) }
    }

    /// In the first tag.
    private static func attribute(_ name: String, of element: Substring) -> Substring? {
        let tag = element.prefix { $0 != ">" }
        let start = tag.hasPrefix("\(name)=\"") ? tag.startIndex : tag.firstRange(of: " \(name)=\"")?.lowerBound
        return start.map { tag[$0...].drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" } }
    }

    private static func unescaped(_ text: Substring) -> String {
        let entities = [("&apos;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
        return entities.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
