// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
import HandoffWire

/// Empties a running app's log above its limit, so that it cannot fill the disk. Output during this is lost. Idle while
/// the app prints nothing. After the daemon's end, the app's next start handles a large log.
struct AppLogWatch: ~Copyable {
    /// Milliseconds.
    static let pause: CInt = 100
    /// Milliseconds, without an inotify watch: the user's programs may have taken all.
    static let lookAgain: CInt = 1000

    /// Repetitions, because the app writes during the copy.
    private static let copies = 8

    private let log: AppLogFile
    private let file: OpenFile
    private let watch: OpenFile
    private let isBlind: Bool

    private init(log: AppLogFile, file: consuming OpenFile, watch: consuming OpenFile) {
        self.log = log
        // The name may belong to another file by now.
        let path = "/proc/self/fd/\(file.descriptor)"
        isBlind = watch.descriptor < 0 || inotify_add_watch(watch.descriptor, path, UInt32(IN_MODIFY)) < 0
        self.file = file
        self.watch = watch
    }

    /// Returns when the process has ended, or at once without a log. Does not reap it, so its number stays reserved.
    /// `inotify`: negative if the system has no instance left.
    static func run(
        _ log: AppLogFile, while process: SpawnedProcess,
        inotify: () -> CInt = { inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)) }
    ) {
        guard let running = ProcessDescriptor(of: process.id),
            let file = try? OpenFile.open(log.path, O_RDWR | O_NONBLOCK)
        else { return }
        let watch = AppLogWatch(log: log, file: file, watch: OpenFile(descriptor: inotify(), path: "inotify"))
        // Output from before the watch causes no event.
        watch.look()
        while running.wait(for: watch.watch.descriptor, milliseconds: watch.isBlind ? lookAgain : -1) {
            watch.look()
            guard running.wait(milliseconds: pause) else { break }
        }
        watch.look()
    }

    private func look() {
        var events = [UInt8](repeating: 0, count: 4096)
        while read(watch.descriptor, &events, events.count) > 0 {}
        var status = stat()
        guard fstat(file.descriptor, &status) == 0, status.st_size > AppLogFile.rotationBytes else { return }
        for _ in 0..<Self.copies {
            let copied = status.st_size
            putAside(status)
            guard fstat(file.descriptor, &status) == 0, status.st_size != copied else { break }
        }
        ftruncate(file.descriptor, 0)
    }

    /// Does nothing if another start has rotated this file already.
    private func putAside(_ status: stat) {
        var named = stat()
        guard lstat(log.path, &named) == 0, named.st_ino == status.st_ino, named.st_dev == status.st_dev,
            let aside = try? OpenFile.open(log.path + ".1", O_WRONLY | O_CREAT | O_TRUNC)
        else { return }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var offset = status.st_size - off_t(AppLogFile.rotationBytes)
        while offset < status.st_size {
            let count = pread(file.descriptor, &buffer, buffer.count, offset)
            guard count > 0, (try? aside.write(buffer[..<count])) != nil else { return }
            offset += off_t(count)
        }
    }
}

/// `<logs>/<bundle>.log`, rotated to `.log.1`.
struct AppLogFile {
    static let rotationBytes = 1024 * 1024

    let folder: String
    let bundle: BundleID

    func open() throws(SystemError) -> OpenFile {
        do throws(Failure) {
            try PrivateDirectory.prepare(folder)
        } catch {
            throw SystemError(EACCES, folder, error.reason)
        }
        var status = stat()
        if lstat(path, &status) == 0, status.st_size > Self.rotationBytes { rename(path, path + ".1") }
        return try OpenFile.open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, mode: 0o600)
    }

    var path: String { folder + "/\(bundle).log" }
}
