// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
package import HandoffWire

/// Held by the only daemon that uses a state folder, across hosts, because a home directory may be on a file server.
///
/// File servers support the kernel's lock, which ends with its process. But a mount may keep locks local, and a server
/// may keep a dead host's. So in a folder that may be shared, the holder also writes an increasing number, and a daemon
/// on another host watches it. Clocks of different hosts are never compared.
package final class StateLock: Sendable {
    static let fileName = "daemon.lock"
    static let interval = Duration.seconds(10)
    /// Intervals without a new number until the holder is considered gone.
    private static let patience = 2.5

    /// F_OFD_SETLK, hidden from Swift. The lock survives the close of the file's other descriptors.
    private static let setOpenFileLock: CInt = 37

    private let lease: Lease

    /// Blocks for at most 25 seconds to watch another host's number. `lost` runs on its own thread if another host took
    /// over the state after this one was cut off or asleep. Throws `.notAllowed` naming the other host,
    /// `.stateNotWritable` if the lock cannot be used.
    package convenience init(state: String, lost: @escaping @Sendable (Failure) -> Void) throws(Failure) {
        try self.init(state: state, host: .here, isShared: nil, interval: Self.interval, lost: lost)
    }

    /// `isShared` nil: ask the file system.
    init(
        state: String, host: StateHolder.Host, isShared: Bool?, interval: Duration,
        lost: @escaping @Sendable (Failure) -> Void
    ) throws(Failure) {
        let folder = try PrivateDirectory.open(state)
        let path = state + "/" + Self.fileName
        var file = try Self.open(path)
        let locking = Self.lock(file)
        let holder = Self.holder(at: path)
        if let holder, Self.isInUse(by: holder, at: path, locking, on: host, interval) {
            throw Self.refusal(of: holder, path, host)
        }
        if locking == .taken {
            // Taken a moment ago, and not yet named.
            guard holder != nil else { throw Self.refusal(of: nil, path, host) }
            file = try Self.replace(path, in: folder)
            guard Self.lock(file) != .taken else { throw Self.refusal(of: Self.holder(at: path), path, host) }
        }
        let counts = isShared ?? (FileSystemKind(of: file)?.isShared ?? true) || locking == .unsupported
        let mine = StateHolder(
            host: host, process: getpid(), start: .random(in: .min ... .max), beat: counts ? 0 : nil)
        // A full disk: the lock is valid without a name.
        do throws(SystemError) { try Self.write(mine.encoded, to: file) } catch {
            guard error.code == ENOSPC || error.code == EDQUOT else { throw Self.unusable(path, error) }
        }
        lease = Lease(file, path: path, holder: mine, lost: lost)
        if counts { lease.startCounting(every: interval) }
    }

    deinit { lease.release() }

    /// The name of another host whose daemon uses this state, or was cut off while it did.
    package static func otherHost(using state: String) -> String? {
        guard let other = holder(at: state + "/" + fileName)?.host else { return nil }
        let here = StateHolder.Host.here
        return other == here || here.isLaterBoot(of: other) ? nil : other.name
    }

    // MARK: The other daemon

    private enum Locking {
        case got
        case taken
        /// Usually a server without the lock service.
        case unsupported
    }

    private static func lock(_ file: borrowing OpenFile) -> Locking {
        var request = flock()
        request.l_type = Int16(F_WRLCK)
        request.l_whence = Int16(SEEK_SET)
        let descriptor = file.descriptor
        if retrying({ fcntl(descriptor, setOpenFileLock, &request) }) == 0 { return .got }
        return errno == EAGAIN || errno == EACCES ? .taken : .unsupported
    }

    private static func isInUse(
        by holder: StateHolder, at path: String, _ locking: Locking, on host: StateHolder.Host, _ interval: Duration
    ) -> Bool {
        if holder.host.boot == host.boot {
            switch locking {
            case .got: return false
            case .taken: return true
            case .unsupported: return kill(holder.process, 0) == 0 || errno == EPERM
            }
        }
        if host.isLaterBoot(of: holder.host) { return false }
        guard holder.beat != nil else { return locking == .taken }
        return isCounting(holder, at: path, interval)
    }

    private static func isCounting(_ holder: StateHolder, at path: String, _ interval: Duration) -> Bool {
        let end = ContinuousClock.now + interval * patience
        while ContinuousClock.now < end {
            poll(nil, 0, (interval / 5).pollMilliseconds)
            let now = Self.holder(at: path)
            if now != holder { return now != nil }
        }
        return false
    }

    /// Opened each time, which refreshes the cache of a file server's client.
    fileprivate static func holder(at path: String) -> StateHolder? {
        guard let bytes = try? OpenFile.open(path, O_RDONLY).readAll(limit: StateHolder.bytes) else { return nil }
        return StateHolder(bytes)
    }

    private static func refusal(of holder: StateHolder?, _ path: String, _ host: StateHolder.Host) -> Failure {
        let process = holder.map { " (process \($0.process))" } ?? ""
        guard let other = holder?.host, other != host else {
            return Failure(
                .notAllowed,
                "another handoffd\(process) already uses this state: it holds \(path); stop it, or give this handoffd its own --root"
            )
        }
        return Failure(
            .notAllowed,
            """
            handoffd on the host \(other.name)\(process) uses this state: it holds \(path); \(Advice.leaveStateToOtherHost)
            """)
    }

    // MARK: The file

    private static func open(_ path: String) throws(Failure) -> OpenFile {
        do throws(SystemError) {
            return try OpenFile.open(path, O_RDWR | O_CREAT)
        } catch {
            throw unusable(path, error)
        }
    }

    /// A new file's lock is free, even if a server keeps a dead host's.
    private static func replace(_ path: String, in folder: borrowing PrivateFolder) throws(Failure) -> OpenFile {
        do throws(SystemError) { try folder.write([], to: fileName) } catch { throw unusable(path, error) }
        return try open(path)
    }

    private static func unusable(_ path: String, _ error: SystemError) -> Failure {
        Failure(.stateNotWritable, "cannot use the lock \(path): \(error.reason)")
    }

    /// In place, because the lock belongs to this file. Syncs.
    fileprivate static func write(_ bytes: [UInt8], to file: borrowing OpenFile) throws(SystemError) {
        let descriptor = file.descriptor
        guard retrying({ pwrite(descriptor, bytes, bytes.count, 0) }) == bytes.count,
            ftruncate(descriptor, off_t(bytes.count)) == 0
        else { throw SystemError(errno, file.path) }
        try file.sync()
    }

    private final class Lease: Sendable {
        private struct Held {
            var holder: StateHolder
            var isReleased = false
        }

        private let file: OpenFile
        private let path: String
        private let held: Lock<Held>
        private let lost: @Sendable (Failure) -> Void
        private let ended = WakeSignal()

        init(
            _ file: consuming OpenFile, path: String, holder: StateHolder, lost: @escaping @Sendable (Failure) -> Void
        ) {
            self.file = file
            self.path = path
            self.lost = lost
            held = Lock(Held(holder: holder))
        }

        func startCounting(every interval: Duration) {
            DetachedThread.start { [self] in
                repeat {
                    var wake = pollfd(fd: ended.descriptor, events: Int16(POLLIN), revents: 0)
                    poll(&wake, 1, ended.timeout(interval.pollMilliseconds))
                } while count()
            }
        }

        /// Ignores errors: the server may respond the next time.
        private func count() -> Bool {
            let taker: StateHolder? = held.withLock { held in
                guard !held.isReleased else { return held.holder }
                if let now = StateLock.holder(at: path), now.start != held.holder.start { return now }
                held.holder.beat = (held.holder.beat ?? 0) &+ 1
                try? StateLock.write(held.holder.encoded, to: file)
                return nil
            }
            guard let taker else { return true }
            if !held.withLock({ $0.isReleased }) {
                lost(
                    Failure(
                        .notAllowed,
                        "handoffd on the host \(taker.host.name) (process \(taker.process)) has taken over this state: \(path)"
                    ))
            }
            return false
        }

        func release() {
            held.withLock { held in
                guard !held.isReleased else { return }
                held.isReleased = true
                if StateLock.holder(at: path)?.start == held.holder.start {
                    try? StateLock.write(StateHolder.none, to: file)
                }
                var request = flock()
                request.l_type = Int16(F_UNLCK)
                request.l_whence = Int16(SEEK_SET)
                _ = fcntl(file.descriptor, StateLock.setOpenFileLock, &request)
            }
            ended.signal()
        }
    }
}
