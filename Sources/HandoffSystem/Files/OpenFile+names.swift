// SPDX-License-Identifier: Apache-2.0

package import Glibc

// Names need not be UTF-8.
extension Sequence<UInt8> {
    package var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }

    /// As `String.followingLinks`.
    package var followingLinks: [UInt8]? {
        guard let resolved = realpath(cString, nil) else { return nil }
        defer { free(resolved) }
        return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }
}

extension OpenFile {
    /// `name` is one component. Adds O_CLOEXEC and O_NOFOLLOW to `flags`.
    package func open(_ name: [UInt8], _ flags: CInt, mode: mode_t = 0o600) throws(SystemError) -> OpenFile {
        let path = path(of: name)
        let descriptor = retrying { openat(self.descriptor, name.cString, flags | O_CLOEXEC | O_NOFOLLOW, mode) }
        guard descriptor >= 0 else { throw SystemError(errno, path) }
        return OpenFile(descriptor: descriptor, path: path)
    }

    /// Does not follow a link. Nil if missing.
    package func status(of name: [UInt8]) throws(SystemError) -> stat? {
        var status = stat()
        guard fstatat(descriptor, name.cString, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw SystemError(errno, path(of: name))
        }
        return status
    }

    package func linkTarget(of name: [UInt8]) throws(SystemError) -> [UInt8] {
        var code: CInt = 0
        let target = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> [UInt8] in
            let length = readlinkat(descriptor, name.cString, buffer.baseAddress!, buffer.count)
            guard length >= 0, length < buffer.count else {
                code = length < 0 ? errno : ENAMETOOLONG
                return []
            }
            return Array(UnsafeRawBufferPointer(start: buffer.baseAddress, count: length))
        }
        guard code == 0 else { throw SystemError(code, path(of: name)) }
        return target
    }

    /// Unsorted, without `.` and `..`. Stops after `most`.
    package func names(atMost most: Int) throws(SystemError) -> [[UInt8]] {
        // Separate, because the stream closes it and moves its position.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw SystemError(errno, path) }
        guard let stream = fdopendir(copy) else {
            let error = SystemError(errno, path)
            close(copy)
            throw error
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while names.count < most {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SystemError(errno, path) }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { continue }
            names.append(name)
        }
        return names
    }

    package func path(of name: [UInt8]) -> String { path + "/" + String(decoding: name, as: UTF8.self) }
}
