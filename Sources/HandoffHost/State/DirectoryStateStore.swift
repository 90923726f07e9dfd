// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffSystem
package import HandoffWire

/// The daemon's files in a folder of their own: 0700, each file 0600.
///
/// A file is replaced as a whole (`PrivateFolder`): a crash or a full disk at any point leaves the old file or the new one,
/// never a part. What a crash left under a temporary name is removed at the next start. The daemon's lock is taken first, so
/// there is one writer.
package final class DirectoryStateStore: StateStore {
    /// One file, bytes. Far above what a full roster needs.
    package static let fileBytes = 16 * 1024 * 1024
    package let directory: String
    private let files: StateFiles
    private let lane: (any WorkLane)?

    /// `directory` is absolute, and made where it is missing. `isOnlyWriter`: false for a reader of what another process
    /// may be writing; leftovers stay then, for they may be none. Without `work`, what is written later is written at once.
    /// Throws as `PrivateDirectory.prepare` does.
    package init(directory: String, isOnlyWriter: Bool = true, work: (any Work)? = nil) throws(Failure) {
        self.directory = directory
        files = StateFiles(folder: try PrivateDirectory.open(directory))
        lane = work?.makeLane()
        guard isOnlyWriter else { return }
        do throws(SystemError) {
            try files.folder.removeLeftovers()
        } catch {
            throw Failure(.stateNotWritable, "cannot list the folder \(directory): \(error.reason)")
        }
    }

    package func read(_ name: String) throws(Failure) -> [UInt8]? {
        let path = try path(of: name)
        do throws(SystemError) {
            return try files.folder.read(name, limit: Self.fileBytes)
        } catch {
            throw Failure(.stateNotWritable, error.explanation ?? "cannot read \(path): \(error.reason)")
        }
    }

    package func write(_ bytes: [UInt8], to name: String) throws(Failure) {
        let path = try path(of: name)
        do throws(SystemError) { try files.write(bytes, to: name) } catch { throw Self.notWritten(path, error) }
    }

    package func writeLater(_ bytes: [UInt8], to name: String, failed: @escaping (Failure) -> Void) {
        do throws(Failure) {
            guard let lane else { return try write(bytes, to: name) }
            let path = try path(of: name)
            guard files.willBe(bytes, name) else { return }
            try writeDue(name, at: path, in: lane) { if let failure = $0 { failed(failure) } }
        } catch {
            failed(error)
        }
    }

    package func write(_ bytes: [UInt8], to name: String, then: @escaping (Failure?) -> Void) {
        do throws(Failure) {
            guard let lane else {
                try write(bytes, to: name)
                return then(nil)
            }
            let path = try path(of: name)
            _ = files.willBe(bytes, name)
            try writeDue(name, at: path, in: lane, then: then)
        } catch {
            then(error)
        }
    }

    private func writeDue(
        _ name: String, at path: String, in lane: any WorkLane, then: @escaping (Failure?) -> Void
    ) throws(Failure) {
        do throws(Failure) {
            try lane.run(
                { [files] () -> Failure? in
                    do throws(SystemError) { try files.writeDue(name) } catch { return Self.notWritten(path, error) }
                    return nil
                }, then: then)
        } catch {
            files.forget(name)
            throw error
        }
    }

    package func finishWriting() throws(Failure) {
        var first: Failure?
        for name in files.due {
            do throws(SystemError) { try files.writeDue(name) } catch {
                first = first ?? Self.notWritten(directory + "/" + name, error)
            }
        }
        // One may be being written.
        files.wait()
        if let first { throw first }
    }

    package func remove(_ name: String) throws(Failure) {
        let path = try path(of: name)
        do throws(SystemError) {
            try files.remove(name)
        } catch {
            throw Failure(.stateNotWritable, "cannot remove \(path): \(error.reason)")
        }
    }

    package func names() throws(Failure) -> [String] {
        do throws(SystemError) {
            return try files.folder.names().filter { (try? path(of: $0)) != nil }
        } catch {
            throw Failure(.stateNotWritable, "cannot list the folder \(directory): \(error.reason)")
        }
    }

    /// Names are ours, so a bad one is a mistake of ours; still an error, for it could reach out of the folder.
    private func path(of name: String) throws(Failure) -> String {
        let allowed = name.utf8.allSatisfy { character in
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard allowed, !name.isEmpty, name.utf8.count <= 128, !name.hasPrefix(".") else {
            throw Failure(.internal, "not a name for a file of state: \(name.debugDescription)")
        }
        return directory + "/" + name
    }

    private static func notWritten(_ path: String, _ error: SystemError) -> Failure {
        Failure(.stateNotWritable, "cannot write \(path): \(error.reason)\(advice(error.code))")
    }

    private static func advice(_ code: CInt) -> String {
        switch code {
        case ENOSPC, EDQUOT: "; nothing was lost, make room and try again"
        case EROFS, EACCES, EPERM: "; nothing was lost, make the folder writable"
        default: ""
        }
    }
}

/// The folder, as the loop and the threads of its work see it: one of them writes at a time, and what the loop said last of a
/// file is what comes to be, however late.
private final class StateFiles: Sendable {
    let folder: PrivateFolder
    /// What is to be written later; each has a job coming. Held for a moment only.
    private let later = Lock<[String: [UInt8]]>([:])
    /// Held while one is written, so that who writes at once waits for the one that is being written.
    private let writing = Lock(())

    init(folder: consuming PrivateFolder) { self.folder = folder }

    /// Those with something to be written later, sorted.
    var due: [String] { later.withLock { $0.keys.sorted() } }

    /// True where that needs a job: nothing was to be written there so far.
    func willBe(_ bytes: [UInt8], _ name: String) -> Bool {
        later.withLock { $0.updateValue(bytes, forKey: name) == nil }
    }

    func forget(_ name: String) { later.withLock { $0[name] = nil } }

    func write(_ bytes: [UInt8], to name: String) throws(SystemError) {
        forget(name)
        try writing.withLock { (_) throws(SystemError) in try folder.write(bytes, to: name) }
    }

    func remove(_ name: String) throws(SystemError) {
        forget(name)
        try writing.withLock { (_) throws(SystemError) in try folder.remove(name) }
    }

    func writeDue(_ name: String) throws(SystemError) {
        try writing.withLock { (_) throws(SystemError) in
            guard let bytes = later.withLock({ $0.removeValue(forKey: name) }) else { return }
            try folder.write(bytes, to: name)
        }
    }

    /// Returns once nothing is being written.
    func wait() { writing.withLock { _ in } }
}
