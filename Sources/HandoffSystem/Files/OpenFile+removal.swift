// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// The items that a removal left.
package struct Remains: Sendable {
    /// Files, links and folders that are left, without the folders above them.
    package private(set) var count = 0
    package private(set) var first: SystemError?

    package var isEmpty: Bool { count == 0 }

    fileprivate mutating func note(_ error: SystemError) {
        count += 1
        first = first ?? error
    }
}

extension OpenFile {
    /// Removes what is called `name` in this folder with all that is in it, following no link. Folders that their owner
    /// cannot write to are made writable; what cannot be removed does not keep the rest.
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

    /// The same. Throws the first error where anything is left.
    package func removeTree(_ name: [UInt8]) throws(SystemError) {
        if let error = removeWhatCanBe(name).first { throw error }
    }

    package func removeTree(_ name: String) throws(SystemError) { try removeTree(Array(name.utf8)) }

    /// The folder at that path beneath this one, reached through no link, with all rights for its owner.
    fileprivate func openToEmpty(_ path: [UInt8]) throws(SystemError) -> OpenFile {
        let descriptor = chandoff_open_to_empty(self.descriptor, path.cString)
        guard descriptor >= 0 else { throw SystemError(errno, self.path(of: path)) }
        return OpenFile(descriptor: descriptor, path: self.path(of: path))
    }
}

/// A folder that is emptied and removed.
private struct TreeRemoval {
    /// The longest path to an item inside, bytes. The system refuses paths of 4,096, and folders can be deeper: one further down
    /// is moved up first.
    private static let longestPath = 3000

    private struct Folder {
        let path: [UInt8]
        /// It was emptied; so much was left before.
        var leftBefore: Int?
    }

    private let top: [UInt8]
    /// A stack of our own: the maker of these folders chose how deep they are.
    private var rest: [Folder]
    /// Folders that were moved up.
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
                // An item inside has given the reason.
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

    /// Returns its new path.
    private mutating func moveUp(
        _ name: [UInt8], of folder: borrowing OpenFile, _ root: borrowing OpenFile
    ) throws(SystemError) -> [UInt8] {
        let target = try root.openToEmpty(top)
        // A folder has to be writable to be moved to another one.
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
