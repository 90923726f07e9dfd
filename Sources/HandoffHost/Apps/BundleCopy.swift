// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffTrust

/// Copies a bundle's tree through descriptors, following no link. Accepts only folders, plain files and links that stay
/// inside.
struct BundleCopy {
    private var entriesLeft = BundleLimits.entries
    private var bytesLeft = BundleLimits.fileBytes
    private let bundle: String

    /// `bundle` is resolved.
    init(of bundle: String) { self.bundle = bundle }

    /// `target` is an empty folder.
    mutating func copy(to target: borrowing OpenFile) throws(SystemError) {
        try copyFolder(try OpenFile.open(bundle, O_RDONLY | O_DIRECTORY), to: target, inside: [])
    }

    private mutating func copyFolder(
        _ source: borrowing OpenFile, to target: borrowing OpenFile, inside parents: [String]
    ) throws(SystemError) {
        guard parents.count <= BundleLimits.depth else {
            throw SystemError(ELOOP, source.path, "\(bundle) has folders deeper than \(BundleLimits.depth)")
        }
        // One above the limit detects an excess.
        let names = try source.entries(atMost: entriesLeft + 1)
        entriesLeft -= names.count
        guard entriesLeft >= 0 else {
            throw SystemError(EFBIG, source.path, "\(bundle) holds more than \(BundleLimits.entries) files")
        }
        for name in names {
            let path = source.path + "/" + name
            var status = stat()
            guard fstatat(source.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw SystemError(errno, path)
            }
            switch status.kind {
            case S_IFDIR:
                guard mkdirat(target.descriptor, name, 0o755) == 0 else { throw SystemError(errno, target.path) }
                let inner = try target.open(name, O_RDONLY | O_DIRECTORY)
                try copyFolder(try source.open(name, O_RDONLY | O_DIRECTORY), to: inner, inside: parents + [name])
            case S_IFREG:
                try copyFile(name, from: source, to: target)
            case S_IFLNK:
                try copyLink(name, from: source, to: target, inside: parents)
            default:
                throw SystemError(EINVAL, path, "\(path) is neither a file, a folder nor a link")
            }
        }
    }

    private mutating func copyFile(
        _ name: String, from source: borrowing OpenFile, to target: borrowing OpenFile
    ) throws(SystemError) {
        let input = try source.open(name, O_RDONLY | O_NONBLOCK)
        let status = try input.status()
        // Checked again below: the file may grow.
        guard status.st_size <= bytesLeft else { throw tooLarge(input.path) }
        let isExecutable = status.permissions & 0o111 != 0
        let output = try target.open(name, O_WRONLY | O_CREAT | O_EXCL, mode: isExecutable ? 0o755 : 0o644)
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = retrying { read(input.descriptor, &buffer, buffer.count) }
            guard count >= 0 else { throw SystemError(errno, input.path) }
            if count == 0 { return }
            bytesLeft -= Int64(count)
            guard bytesLeft >= 0 else { throw tooLarge(input.path) }
            try output.write(buffer[..<count])
        }
    }

    private func tooLarge(_ path: String) -> SystemError {
        SystemError(EFBIG, path, "\(bundle) holds more than \(BundleLimits.fileBytes / 1024 / 1024) MiB")
    }

    private func copyLink(
        _ name: String, from source: borrowing OpenFile, to target: borrowing OpenFile, inside parents: [String]
    ) throws(SystemError) {
        let destination = try source.link(name)
        guard let path = try? BundlePath((parents + [name]).joined(separator: "/")), path.canPoint(at: destination)
        else {
            let path = source.path + "/" + name
            throw SystemError(EINVAL, path, "\(path) is a link that leaves the bundle")
        }
        guard symlinkat(destination, target.descriptor, name) == 0 else { throw SystemError(errno, target.path) }
    }
}
