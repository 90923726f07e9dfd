// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// A container's folder, or the folder of copies. Neither `..` nor a link leads out of it.
struct DocumentRoot: ~Copyable, Sendable {
    struct Reached {
        /// As on disk, with links followed; missing parts as requested.
        let path: DocumentPath
        let missing: Int
    }

    let folder: OpenFile
    let path: AbsolutePath
    private let disk: DiskAbilities
    private let limits: DocumentLimits

    /// Throws `.documentGone`.
    init(_ path: AbsolutePath, disk: DiskAbilities, limits: DocumentLimits) throws(Failure) {
        do throws(SystemError) { folder = try .openFolder(path) } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else { throw Failure(reading: error) }
            throw Failure(.documentGone, "the folder \(path) does not exist")
        }
        self.path = path
        self.disk = disk
        self.limits = limits
    }

    /// Nil if several names match. Throws for paths that lead outside, and for broken links. `exactly`: the last name
    /// must match byte for byte.
    func reach(_ path: DocumentPath, exactly: Bool = false) throws(Failure) -> Reached? {
        if let real = try realPath(of: path), try !foldsCase(above: real) { return Reached(path: real, missing: 0) }
        let parts = path.parts
        var found: DocumentPath?
        for (index, part) in parts.enumerated() {
            let parent = try openFolder(found)
            let isExact = exactly && index == parts.count - 1
            switch try name(for: disk.fitting(Array(part), in: parent), in: parent, exactly: isExact) {
            case .found(let name): found = try Self.path(name, in: found)
            case .none:
                var missing: DocumentPath?
                if let found { missing = try realPath(of: found) }
                for part in parts[index...] {
                    missing = try Self.path(disk.fitting(Array(part), in: parent), in: missing)
                }
                return missing.map { Reached(path: $0, missing: parts.count - index) }
            case .ambiguous: return nil
            }
        }
        guard let found else { return nil }
        guard let real = try realPath(of: found) else {
            throw Failure(.notAllowed, "\(self.path)/\(found) is a link to a file that does not exist")
        }
        return Reached(path: real, missing: 0)
    }

    /// If parts are missing, the deepest existing folder.
    func openParent(of reached: Reached) throws(Failure) -> OpenFile {
        var path: DocumentPath? = reached.path
        for _ in 0..<max(reached.missing, 1) { path = path?.parent }
        return try openFolder(path)
    }

    /// Nil: the root folder.
    func openFolder(_ path: DocumentPath?) throws(Failure) -> OpenFile {
        try reading { () throws(SystemError) in
            try folder.openBeneath(path?.bytes ?? Array(".".utf8), O_RDONLY | O_DIRECTORY)
        }
    }

    /// Does not open the item, which may have side effects.
    func status(of path: DocumentPath) throws(Failure) -> stat {
        try reading { () throws(SystemError) in try folder.lookBeneath(path.bytes).status() }
    }

    // MARK: Names

    /// Follows all links; nil if nothing exists. Without /proc, the path as requested.
    private func realPath(of path: DocumentPath) throws(Failure) -> DocumentPath? {
        let found: OpenFile
        do throws(SystemError) {
            found = try folder.lookBeneath(path.bytes)
        } catch let error where error.code == ENOENT || error.code == ENAMETOOLONG {
            return nil
        } catch {
            throw Failure(reading: error)
        }
        guard let here = Self.realPath(of: folder), let there = Self.realPath(of: found) else { return path }
        return there.path(in: here)
    }

    private static func realPath(of file: borrowing OpenFile) -> AbsolutePath? {
        guard let descriptors = try? OpenFile.open("/proc/self/fd", O_RDONLY | O_DIRECTORY),
            let target = try? descriptors.linkTarget(of: Array("\(file.descriptor)".utf8))
        else { return nil }
        return try? AbsolutePath(bytes: target)
    }

    private func foldsCase(above path: DocumentPath) throws(Failure) -> Bool {
        var above = path.parent
        while true {
            if disk.foldsCase(try openFolder(above)) { return true }
            guard let next = above else { return false }
            above = next.parent
        }
    }

    private func name(
        for name: [UInt8], in folder: borrowing OpenFile, exactly: Bool
    ) throws(Failure) -> DocumentName.Match {
        try reading { () throws(SystemError) in
            let foldsCase = disk.foldsCase(folder)
            let isThere = try folder.status(of: name) != nil
            if isThere, !foldsCase { return .found(name) }
            if exactly, !isThere { return .none }
            let entries = try folder.names(atMost: limits.searchedEntries)
            let shown = entries.filter { !$0.starts(with: DocumentPath.reservedPrefix) }
            let found = DocumentName.find(name, among: shown, ignoringCase: foldsCase)
            if case .none = found, isThere { return .found(name) }
            return found
        }
    }

    private static func path(_ name: [UInt8], in parent: DocumentPath?) throws(Failure) -> DocumentPath {
        do throws(WireError) { return try DocumentPath(name: name, in: parent) } catch {
            throw Failure(.notAllowed, error.reason)
        }
    }
}

extension OpenFile {
    /// Follows links, because the user chose the container's folder.
    static func openFolder(_ path: AbsolutePath) throws(SystemError) -> OpenFile {
        let descriptor = retrying { Glibc.open(path.bytes.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw SystemError(errno, path.text) }
        return OpenFile(descriptor: descriptor, path: path.text)
    }
}
