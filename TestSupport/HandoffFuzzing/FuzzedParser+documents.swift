// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension FuzzedParser {
    /// Documents as another device describes them, and as an app names them.
    static let documents = [documentReference, documentFrame, chunkList, packageManifest, fileURL]

    /// As part of the origin's answer.
    private static let documentReference = FuzzedParser("document-reference") { bytes in
        let type = "com.example.notes.editing"
        let state = [0x0A, UInt8(type.utf8.count)] + Array(type.utf8)
        let fetched = [0x0A, UInt8(state.count)] + state + [0x22] + varint(bytes.count) + bytes
        let frame = [0x10, 0x01, 0x82, 0x01] + varint(fetched.count) + fetched
        let verdict = try roundTrip(frame, parse: { try PeerFrame(encoded: $0) }, write: { try $0.encoded() })
        guard verdict == .taken,
            case .continuation(.fetched(_, _, _, let references, _))? = try? PeerFrame(encoded: frame).message,
            let reference = references.first
        else { return .refused }
        try promise(reference.index < Limits.documents, "document \(reference.index)")
        try promise(reference.known.count <= Limits.knownHashes, "\(reference.known.count) known hashes")
        try promise(reference.mode <= 0o777 && reference.size <= Limits.documentBytes, "no file: \(reference)")
        switch reference.place {
        case .container(_, let path): try stays(path)
        case .outside(let name):
            try stays(name)
            try promise(name.parts.count == 1, "a name with folders: \(name)")
        }
        return .taken
    }

    private static let documentFrame = FuzzedParser("document-frame") { bytes in
        if case .data(let count)? = try? DocumentMessage(encoded: bytes) {
            try promise(1...Limits.documentDataBytes ~= count, "\(count) bytes follow")
        }
        return try roundTrip(bytes, parse: { try DocumentMessage(encoded: $0) }, write: { try $0.encoded() })
    }

    private static let chunkList = FuzzedParser("chunk-list") { bytes in
        let verdict = try roundTrip(bytes, parse: { try ChunkList(encoded: $0) }, write: { try $0.encoded() })
        guard verdict == .taken, let list = try? ChunkList(encoded: bytes) else { return .refused }
        try promise(list.chunks.allSatisfy { 1...Limits.chunkBytes ~= Int($0.length) }, "a chunk of another length")
        try promise(list.size <= UInt64(list.chunks.count * Limits.chunkBytes), "\(list.size) bytes")
        return .taken
    }

    private static let packageManifest = FuzzedParser("package-manifest") { bytes in
        guard let manifest = try? PackageManifest(encoded: bytes) else { return .refused }
        try promise((try? manifest.encoded()) == bytes, "a manifest with another encoding")
        try promise(manifest.size <= Limits.documentBytes, "\(manifest.size) bytes")
        let package = FuzzedPackage(manifest)
        for member in manifest.members {
            try stays(member.path)
            if case .link(let target) = member.content {
                try promise(package.keeps(target, of: member.path), "\(member.path) leads out of the package")
            }
        }
        return .taken
    }

    /// Compared with Foundation's URL, which the app gets.
    private static let fileURL = FuzzedParser("file-url") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let begins = Array(text.utf8.prefix(5)).elementsEqual("file:".utf8) {
            Character(UnicodeScalar($0)).lowercased() == String(UnicodeScalar($1))
        }
        try promise(FileURL.isOne(text) == begins, "begins otherwise: \(text)")
        let verdict = try roundTrip(text, parse: { try FileURL($0) }, write: \.text)
        guard verdict == .taken, let url = try? FileURL(text) else { return .refused }
        try promise(!url.path.bytes.contains(0) && url.path.bytes.first == 0x2F, "no path: \(url.path)")
        guard let known = URL(string: url.text), known.isFileURL else {
            throw BrokenPromise("Foundation does not know \(url.text)")
        }
        try promise(known.absoluteString == url.text, "\(url.text) is \(known.absoluteString)")
        if let path = String(validating: url.path.bytes, as: UTF8.self) {
            try promise(known.path.utf8.elementsEqual(path.utf8), "\(url.text) is \(known.path), not \(path)")
        }
        return .taken
    }

    private static func stays(_ path: DocumentPath) throws(BrokenPromise) {
        try promise(!path.bytes.contains(0) && path.bytes.count <= Limits.pathBytes, "no path: \(path.bytes)")
        for part in path.parts + [path.name] {
            try promise(
                1...Limits.pathPartBytes ~= part.count && part != [0x2E] && part != [0x2E, 0x2E],
                "a path that climbs: \(path)")
        }
    }

    private static func varint(_ value: Int) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + varint(value >> 7)
    }
}

/// A package as on disk, in which links are followed as the kernel does.
private struct FuzzedPackage {
    private typealias Path = [ArraySlice<UInt8>]

    private var links: [Path: [UInt8]] = [:]

    init(_ manifest: PackageManifest) {
        for member in manifest.members {
            if case .link(let target) = member.content { links[member.path.parts] = target }
        }
    }

    /// Whether the link stays inside the package.
    func keeps(_ target: [UInt8], of path: DocumentPath) -> Bool {
        var place: Path = path.parts.dropLast()
        var rest: Path = target.split(separator: 0x2F).reversed()
        var steps = 0
        while let part = rest.popLast() {
            // The kernel gives up on loops, and after very many links.
            steps += 1
            guard steps < 10_000 else { return true }
            if part == [0x2E] { continue }
            if part == [0x2E, 0x2E] {
                guard place.popLast() != nil else { return false }
            } else if let next = links[place + [part]] {
                guard next.first != 0x2F else { return false }
                rest += next.split(separator: 0x2F).reversed()
            } else {
                place.append(part)
            }
        }
        return true
    }
}
