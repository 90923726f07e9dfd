// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc

/// Untrusted: size and nesting are limited before parsing.
package struct PropertyListFile {
    package struct Problem: Error {
        package let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// Bytes.
    package static let bytes = 64 * 1024
    /// Arrays and dictionaries; the parser recurses.
    static let nesting = 32

    package let path: String

    package init(path: String) { self.path = path }

    /// Nil if missing.
    package func decode<Content: Decodable>(_ type: Content.Type) throws(Problem) -> Content? {
        try decodeWithBytes(type)?.content
    }

    package func decodeWithBytes<Content: Decodable>(
        _ type: Content.Type
    ) throws(Problem) -> (content: Content, bytes: [UInt8])? {
        guard let bytes = try read() else { return nil }
        return (try decode(type, from: bytes), bytes)
    }

    package func decode<Content: Decodable>(
        _ type: Content.Type, from bytes: [UInt8]
    ) throws(Problem) -> Content {
        try checkNesting(of: bytes)
        do {
            return try PropertyListDecoder().decode(type, from: Data(bytes))
        } catch DecodingError.keyNotFound(let key, _) {
            throw Problem("\(path) lacks the key \(key.stringValue)")
        } catch DecodingError.valueNotFound(_, let context), DecodingError.typeMismatch(_, let context) {
            let key = context.codingPath.first?.stringValue
            throw Problem(
                key.map { "\(path) has a value of the wrong kind for \($0)" } ?? "\(path) is not a dictionary"
            )
        } catch {
            throw Problem("\(path) is damaged: not a property list")
        }
    }

    private func read() throws(Problem) -> [UInt8]? {
        do throws(SystemError) {
            let file = try OpenFile.open(path, O_RDONLY | O_NONBLOCK)
            guard try file.status().kind == S_IFREG else {
                throw SystemError(EINVAL, path, "\(path) is not a plain file")
            }
            return try file.readAll(limit: Self.bytes)
        } catch let error where error.code == ENOENT || error.code == ENOTDIR {
            return nil
        } catch let error where error.code == EFBIG {
            throw Problem("\(path) is larger than \(Self.bytes) bytes")
        } catch let error where error.code == ELOOP {
            throw Problem("\(path) is a symbolic link")
        } catch {
            throw Problem(error.explanation ?? "cannot read \(path): \(error.reason)")
        }
    }

    /// Includes tags in comments, which is safe.
    private func checkNesting(of bytes: [UInt8]) throws(Problem) {
        guard !bytes.starts(with: Array("bplist".utf8)) else {
            throw Problem("\(path) is a binary property list; write it as XML")
        }
        guard !bytes.contains(0) else { throw Problem("\(path) is damaged: not a property list in UTF-8") }
        var depth = 0
        for tag in bytes.split(separator: UInt8(ascii: "<")).dropFirst() {
            if tag.starts(with: Array("dict>".utf8)) || tag.starts(with: Array("array>".utf8))
                || tag.starts(with: Array("dict ".utf8)) || tag.starts(with: Array("array ".utf8))
            {
                depth += 1
            } else if tag.starts(with: Array("/dict".utf8)) || tag.starts(with: Array("/array".utf8)) {
                depth -= 1
            }
            guard depth <= Self.nesting else { throw Problem("\(path) nests deeper than \(Self.nesting)") }
        }
    }
}
