// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// `<logs>/<bundle>.log`, an app's output. It is rotated to `.log.1` at a start that finds it large, and while the app
/// runs (`AppLogWatch`), so that at most two such files exist.
struct AppLogFile {
    /// A log above this size is rotated, bytes.
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
