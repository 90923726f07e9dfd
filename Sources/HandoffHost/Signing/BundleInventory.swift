// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffTrust

/// Reads through descriptors, following no link. Forbidden items become findings; the rest is still listed.
struct BundleInventory: ~Copyable {
    /// Bytes.
    private static let piece = 1024 * 1024

    /// Without `Contents/_Signature`; sorted at the end.
    private(set) var entries: [BundleManifest.Entry] = []
    private(set) var findings: [BundleFinding] = []
    private var bytesRead: Int64 = 0
    private var isBeyondLimits = false
    private var hasher = FileHasher()
    private var buffer = [UInt8](repeating: 0, count: Self.piece)
    private let progress: ((Int64) -> Void)?

    /// `progress`: bytes read.
    init(of bundle: borrowing OpenFile, progress: ((Int64) -> Void)? = nil) throws(SystemError) {
        self.progress = progress
        try add(contentsOf: bundle, at: nil)
        entries.sort { $0.path < $1.path }
    }

    private mutating func add(contentsOf folder: borrowing OpenFile, at path: BundlePath?) throws(SystemError) {
        // One above the limit detects an excess.
        let left = BundleLimits.entries - entries.count
        let names = try folder.entries(atMost: left + 1)
        guard names.count <= left else {
            return stop("the bundle holds more than \(BundleLimits.entries) files")
        }
        if names.isEmpty, let path { entries.append(BundleManifest.Entry(path: path, content: .emptyFolder)) }
        for name in names where !isBeyondLimits {
            do throws(ManifestRejection) {
                add(name, at: try BundlePath(path.map { "\($0)/\(name)" } ?? name), in: folder)
            } catch {
                findings.append(.unfit(error.description))
            }
        }
    }

    private mutating func add(_ name: String, at path: BundlePath, in folder: borrowing OpenFile) {
        do throws(SystemError) {
            var status = stat()
            guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw SystemError(errno, path.text)
            }
            if path == .signatureFolder { return try checkSignatureFolder(name, in: folder, kind: status.kind) }
            switch status.kind {
            case S_IFDIR: try add(contentsOf: try folder.open(name, O_RDONLY | O_DIRECTORY), at: path)
            case S_IFREG: try addFile(name, at: path, in: folder)
            case S_IFLNK: try addLink(name, at: path, in: folder)
            default: findings.append(.unfit("\(path) is neither a file, a folder nor a link"))
            }
        } catch {
            findings.append(.unreadable("cannot read \(path): \(error.reason)"))
        }
    }

    private mutating func addFile(
        _ name: String, at path: BundlePath, in folder: borrowing OpenFile
    ) throws(SystemError) {
        // O_NONBLOCK: a named pipe in the file's place would block forever.
        let file = try folder.open(name, O_RDONLY | O_NONBLOCK)
        let before = try file.status()
        guard before.kind == S_IFREG else { return findings.append(.changedWhileRead(path)) }
        guard before.permissions & 0o7000 == 0 else {
            return findings.append(.unfit("\(path) has a set-user-ID, set-group-ID or sticky bit"))
        }
        guard before.st_size <= BundleLimits.fileBytes - bytesRead else { return stopAtBytes() }
        var size: Int64 = 0
        while true {
            let count = retrying { read(file.descriptor, &buffer, buffer.count) }
            guard count >= 0 else { throw SystemError(errno, path.text) }
            if count == 0 { break }
            size += Int64(count)
            bytesRead += Int64(count)
            // A program may keep appending to the file.
            guard size <= before.st_size else { break }
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            progress?(bytesRead)
        }
        let digest = hasher.finish()
        let after = try file.status()
        guard after.isSameVersion(as: before), size == before.st_size else {
            return findings.append(.changedWhileRead(path))
        }
        entries.append(
            BundleManifest.Entry(
                path: path,
                content: .file(isExecutable: before.permissions & 0o111 != 0, size: size, digest: digest)))
    }

    private mutating func addLink(
        _ name: String, at path: BundlePath, in folder: borrowing OpenFile
    ) throws(SystemError) {
        let target = try folder.link(name)
        guard path.canPoint(at: target) else {
            return findings.append(.unfit("\(path) is a link that leaves the bundle"))
        }
        entries.append(BundleManifest.Entry(path: path, content: .link(target: target)))
    }

    /// Its own two files are read elsewhere.
    private mutating func checkSignatureFolder(
        _ name: String, in folder: borrowing OpenFile, kind: mode_t
    ) throws(SystemError) {
        guard kind == S_IFDIR else { return findings.append(.unfit("\(BundlePath.signatureFolder) is not a folder")) }
        let signatures = try folder.open(name, O_RDONLY | O_DIRECTORY)
        let known = [BundlePath.manifest, .signature].map(\.text)
        for name in try signatures.entries(atMost: BundleLimits.entries) {
            let text = "\(BundlePath.signatureFolder)/\(name)"
            if known.contains(text) { continue }
            do throws(ManifestRejection) {
                findings.append(.difference(.added(try BundlePath(text))))
            } catch {
                findings.append(.unfit(error.description))
            }
        }
    }

    private mutating func stopAtBytes() {
        stop("the bundle holds more than \(BundleLimits.fileBytes / 1024 / 1024) MiB")
    }

    private mutating func stop(_ sentence: String) {
        isBeyondLimits = true
        findings.append(.unfit(sentence))
    }
}

extension OpenFile {
    func link(_ name: String) throws(SystemError) -> String {
        String(decoding: try linkTarget(of: Array(name.utf8)), as: UTF8.self)
    }
}
