// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc
internal import HandoffTrust
internal import HandoffWire

/// Reads one property list of a bundle. Files of bundles come from anywhere, so size and nesting are bounded before
/// anything is parsed, and what is wrong is said with the file's path.
struct PropertyListFile {
    /// One property list, bytes.
    static let bytes = 64 * 1024
    /// Arrays and dictionaries within one another. The parser recurses.
    static let nesting = 32

    let path: String

    /// Nil where there is no such file.
    func decode<Content: Decodable>(_ type: Content.Type) throws(BundleProblem) -> Content? {
        try decodeWithDigest(type)?.content
    }

    /// The same, with the SHA-256 of the very bytes that were read.
    func decodeWithDigest<Content: Decodable>(
        _ type: Content.Type
    ) throws(BundleProblem) -> (content: Content, digest: FileDigest)? {
        guard let bytes = try read() else { return nil }
        return (try decode(type, from: bytes), FileDigest(of: bytes))
    }

    private func decode<Content: Decodable>(
        _ type: Content.Type, from bytes: [UInt8]
    ) throws(BundleProblem) -> Content {
        try checkNesting(of: bytes)
        do {
            return try PropertyListDecoder().decode(type, from: Data(bytes))
        } catch DecodingError.keyNotFound(let key, _) {
            throw BundleProblem("\(path) lacks the key \(key.stringValue)")
        } catch DecodingError.valueNotFound(_, let context), DecodingError.typeMismatch(_, let context) {
            let key = context.codingPath.first?.stringValue
            throw BundleProblem(
                key.map { "\(path) has another kind of value for \($0) than it takes" } ?? "\(path) is not a dictionary"
            )
        } catch {
            throw BundleProblem("\(path) is damaged: not a property list")
        }
    }

    private func read() throws(BundleProblem) -> [UInt8]? {
        do throws(SystemError) {
            let file = try OpenFile.open(path, O_RDONLY | O_NONBLOCK)
            guard try file.status().kind == S_IFREG else {
                throw SystemError(EINVAL, path, "\(path) is not a plain file")
            }
            return try file.readAll(limit: Self.bytes)
        } catch let error where error.code == ENOENT || error.code == ENOTDIR {
            return nil
        } catch let error where error.code == EFBIG {
            throw BundleProblem("\(path) is larger than \(Self.bytes) bytes")
        } catch let error where error.code == ELOOP {
            throw BundleProblem("\(path) is a symbolic link")
        } catch {
            throw BundleProblem(error.explanation ?? "cannot read \(path): \(error.sentence)")
        }
    }

    /// Counts the opening tags; comments count too, which errs on the safe side.
    private func checkNesting(of bytes: [UInt8]) throws(BundleProblem) {
        guard !bytes.starts(with: Array("bplist".utf8)) else {
            throw BundleProblem("\(path) is a binary property list; write it as XML")
        }
        guard !bytes.contains(0) else { throw BundleProblem("\(path) is damaged: not a property list in UTF-8") }
        var depth = 0
        for tag in bytes.split(separator: UInt8(ascii: "<")).dropFirst() {
            if tag.starts(with: Array("dict>".utf8)) || tag.starts(with: Array("array>".utf8))
                || tag.starts(with: Array("dict ".utf8)) || tag.starts(with: Array("array ".utf8))
            {
                depth += 1
            } else if tag.starts(with: Array("/dict".utf8)) || tag.starts(with: Array("/array".utf8)) {
                depth -= 1
            }
            guard depth <= Self.nesting else { throw BundleProblem("\(path) nests deeper than \(Self.nesting)") }
        }
    }
}

/// Why a bundle does not count, in one sentence that names the file.
struct BundleProblem: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
