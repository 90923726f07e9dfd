// SPDX-License-Identifier: Apache-2.0

import HandoffWire

enum OpenSource: Hashable, Sendable {
    static let titleCharacters = 200

    /// `http:` or `https:`, without user name and password, which never leave the device.
    case page(String)
    /// The `Message-ID` of a mail, without angle brackets.
    case message(String)
    case file(AbsolutePath)
    case folder(AbsolutePath)

    /// Nil for other schemes, and for invalid URLs.
    init?(url: String) {
        if let page = Self.page(url) {
            self = .page(page)
        } else if let file = try? FileURL(url), !file.namesFolder {
            self = .file(file.path)
        } else {
            return nil
        }
    }

    /// Nil if the URL names no folder here.
    init?(folderURL url: String) {
        guard let folder = try? FileURL(url) else { return nil }
        self = .folder(folder.path)
    }

    /// `text`: an absolute path, or as above.
    init?(pathOrURL text: String) {
        if text.hasPrefix("/") {
            guard let path = try? AbsolutePath(text) else { return nil }
            self = .file(path)
        } else {
            self.init(url: text)
        }
    }

    /// RFC 5322's longest line, in bytes.
    private static let maximumMessageIDBytes = 998

    /// Printable ASCII without blanks.
    static func isMessageID(_ text: String) -> Bool {
        (1...maximumMessageIDBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
    }

    /// As `PageAddress`, without user name and password.
    static func page(_ url: String) -> String? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let behind = url[scheme.upperBound...]
        let authority = behind.prefix { !"/?#".contains($0) }
        // Some parsers read it as a slash, and then a password as the host.
        guard !authority.contains("\\") else { return nil }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return PageAddress(String(url[..<scheme.upperBound] + host + behind[authority.endIndex...]))?.url
    }
}

extension OpenSource {
    /// It continues without an examination. Nil: a file or folder, which must be below the home folder.
    var unexamined: ProgramState.Source? {
        switch self {
        case .page(let url): .page(url)
        case .message(let id): .message(id)
        case .file, .folder: nil
        }
    }

    /// For people: the file's name, or the page's host.
    var name: String {
        switch self {
        case .file(let path), .folder(let path):
            let last = path.bytes.split(separator: UInt8(ascii: "/")).last ?? []
            return DisplayText(cleaning: String(decoding: last, as: UTF8.self), limit: Self.titleCharacters)
                .text
        case .message(let id):
            return id
        case .page(let url):
            let host = url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            return DisplayText(cleaning: String(host), limit: Self.titleCharacters).text
        }
    }
}
