// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

// Names that change hands.
extension Placement {
    enum Swap {
        case done
        case unsupported
        /// What was to be replaced is gone.
        case nameChanged
    }

    /// Nil where nothing has that name.
    static func version(of name: [UInt8], in folder: borrowing OpenFile) throws(Failure) -> FileVersion? {
        guard let status = try placing({ () throws(SystemError) in try folder.status(of: name) }) else { return nil }
        guard status.kind == S_IFDIR else { return FileVersion(status) }
        return try PackageTree(
            of: try placing { () throws(SystemError) in try folder.open(name, O_RDONLY | O_DIRECTORY) }
        ).version
    }

    func swap(_ coming: borrowing Coming) throws(Failure) -> Swap {
        guard let hidden = coming.hidden else { return .unsupported }
        do throws(SystemError) {
            let isDone = try staging.disk.swap(hidden.bytes, in: hidden.stage.folder, with: name, in: folder)
            return isDone ? .done : .unsupported
        } catch let error where error.code == ENOENT {
            return .nameChanged
        } catch {
            throw Failure(placing: error)
        }
    }

    func swapBack(_ coming: borrowing Coming) throws(Failure) {
        let changed = Failure(.documentChanged, "\(folder.path(of: name)) was written to while it was replaced")
        do throws(Failure) {
            guard case .done = try swap(coming) else { throw changed }
            if try hasCome(back: coming) { return }
            try keepWhatCameBack(coming)
        } catch {
            // What has the hidden name is nowhere else.
            coming.hidden?.leave()
            throw error
        }
        throw changed
    }

    /// False if another program took our item while it had the name, so that the other program's item has the hidden name.
    private func hasCome(back coming: borrowing Coming) throws(Failure) -> Bool {
        guard let hidden = coming.hidden else { return true }
        let (there, ours) = try placing { () throws(SystemError) in
            (try hidden.stage.folder.status(of: hidden.bytes), try coming.item.status())
        }
        return there?.st_ino == ours.st_ino && there?.st_dev == ours.st_dev
    }

    /// Keeps it as the version instead of the expected item, which the other program had already replaced.
    private func keepWhatCameBack(_ coming: borrowing Coming) throws(Failure) {
        guard let hidden = coming.hidden else { return }
        try versions.remove(order.version)
        let version = try Self.version(of: hidden.bytes, in: hidden.stage.folder)
        _ = try keep(hidden.bytes, in: hidden.stage.folder, as: version)
        hidden.remove()
    }

    /// False where what is there now cannot be replaced by a file.
    func replace(_ coming: inout Coming) throws(Failure) -> Bool {
        guard let hidden = coming.hidden else { return false }
        let result = renameat(
            hidden.stage.folder.descriptor, hidden.bytes.cString, folder.descriptor, name.cString)
        guard result == 0 else {
            switch errno {
            case EISDIR, ENOTDIR, ENOTEMPTY, EEXIST: return false
            default: throw Failure(placing: SystemError(errno, folder.path(of: name)))
            }
        }
        hidden.letGo()
        coming.hidden = nil
        return true
    }

    /// False where it is taken.
    func takeName(_ coming: inout Coming) throws(Failure) -> Bool {
        if let hidden = coming.hidden {
            guard try rename(hidden.bytes, in: hidden.stage.folder, to: name) else { return false }
            hidden.letGo()
            coming.hidden = nil
            return true
        }
        do throws(SystemError) {
            try staging.disk.giveName(name, in: folder, to: coming.item)
            return true
        } catch let error where error.code == EEXIST {
            return false
        } catch {
            throw Failure(placing: error)
        }
    }

    func rename(_ name: [UInt8], to newName: [UInt8]) throws(Failure) -> Bool {
        try rename(name, in: folder, to: newName)
    }

    /// False where the new name is taken, or the old one is gone.
    func rename(_ name: [UInt8], in other: borrowing OpenFile, to newName: [UInt8]) throws(Failure) -> Bool {
        do throws(SystemError) {
            try staging.disk.rename(name, in: other, toFree: newName, in: folder)
            return true
        } catch let error where error.code == EEXIST || error.code == ENOENT {
            return false
        } catch {
            throw Failure(placing: error)
        }
    }

    func sync() throws(Failure) {
        do throws(SystemError) { try folder.sync() } catch let error where error.code == EINVAL {
            // A file system without a cache for names.
        } catch {
            throw Failure(placing: error)
        }
    }
}
