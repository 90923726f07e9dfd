// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

package struct Remains: Sendable {
    /// Without folders that contain other remains.
    package private(set) var count = 0
    package private(set) var first: SystemError?

    package var isEmpty: Bool { count == 0 }

    fileprivate mutating func note(_ error: SystemError) {
        count += 1
        first = first ?? error
    }
}

extension OpenFile {
    /// Follows no links. Makes read-only folders writable.
    package func removeWhatCanBe(_ name: [UInt8]) -> Remains {
        var remains = Remains()
        if unlinkat(descriptor, name.cString, 0) == 0 || errno == ENOENT { return remains }
        guard errno == EISDIR || errno == EPERM else {
            remains.note(SystemError(errno, path(of: name)))
            return remains
        }
        var removal = TreeRemoval(of: name)
        removal.run(in: self)
        return removal.remains
    }

    /// Throws the first error if anything is left.
    package func removeTree(_ name: [UInt8]) throws(SystemError) {
        if let error = removeWhatCanBe(name).first { throw error }
    }

    package func removeTree(_ name: String) throws(SystemError) { try removeTree(Array(name.utf8)) }

    /// Follows no links, and gives the owner all rights.
    fileprivate func openToEmpty(_ path: [UInt8]) throws(SystemError) -> OpenFile {
        let descriptor = chandoff_open_to_empty(self.descriptor, path.cString)
        guard descriptor >= 0 else { throw SystemError(errno, self.path(of: path)) }
        return OpenFile(descriptor: descriptor, path: self.path(of: path))
    }
}

private struct TreeRemoval {
    /// The system's limit is 4,096, so a deeper folder is moved up.
    private static let longestPath = 3000

    private struct Folder {
        let path: [UInt8]
        /// Set once emptied.
        var leftBefore: Int?
    }

    private let top: [UInt8]
    /// A stack, because untrusted folders have any depth.
    private var rest: [Folder]
    private var moved = 0
    private(set) var remains = Remains()

    init(of name: [UInt8]) {
        top = name
        rest = [Folder(path: name)]
    }

    mutating func run(in root: borrowing OpenFile) {
        while let folder = rest.last {
            if unlinkat(root.descriptor, folder.path.cString, AT_REMOVEDIR) == 0 || errno == ENOENT {
                rest.removeLast()
                continue
            }
            let error = SystemError(errno, root.path(of: folder.path))
            guard folder.leftBefore == nil, error.code == ENOTEMPTY || error.code == EEXIST else {
                // An item inside has caused it.
                if folder.leftBefore ?? remains.count == remains.count { remains.note(error) }
                rest.removeLast()
                continue
            }
            rest[rest.count - 1].leftBefore = remains.count
            do throws(SystemError) { try empty(folder.path, in: root) } catch { remains.note(error) }
        }
    }

    private mutating func empty(_ path: [UInt8], in root: borrowing OpenFile) throws(SystemError) {
        let folder = try root.openToEmpty(path)
        for name in try folder.names(atMost: .max) {
            if unlinkat(folder.descriptor, name.cString, 0) == 0 || errno == ENOENT { continue }
            guard errno == EISDIR || errno == EPERM else {
                remains.note(SystemError(errno, folder.path(of: name)))
                continue
            }
            do throws(SystemError) {
                let inner = path + [UInt8(ascii: "/")] + name
                rest.append(Folder(path: inner.count <= Self.longestPath ? inner : try moveUp(name, of: folder, root)))
            } catch {
                remains.note(error)
            }
        }
    }

    private mutating func moveUp(
        _ name: [UInt8], of folder: borrowing OpenFile, _ root: borrowing OpenFile
    ) throws(SystemError) -> [UInt8] {
        let target = try root.openToEmpty(top)
        // Moving a folder requires write permission on it.
        _ = try folder.openToEmpty(name)
        while true {
            moved += 1
            let newName = Array(".\(moved)".utf8)
            if chandoff_rename_to_free(folder.descriptor, name.cString, target.descriptor, newName.cString) == 0 {
                return top + [UInt8(ascii: "/")] + newName
            }
            guard errno == EEXIST else { throw SystemError(errno, folder.path(of: name)) }
        }
    }
}
