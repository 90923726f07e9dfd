// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import FoundationEssentials
internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// Hands a web page to the user's browser, the desktop's way, as `handoff activity continue` does.
struct PageOpener {
    private let environment = ProcessInfo.processInfo.environment

    /// Throws `.notAllowed` for anything but http and https, `.noApp` where nothing can open pages.
    func open(_ page: String, activationToken: String?) throws(Failure) {
        guard WebPageURL.isAllowed(page) else { throw Failure(.notAllowed, "only http and https pages are opened") }
        guard let (program, arguments) = DesktopOpener.installed(path: environment["PATH"]) else {
            throw Failure(.noApp, "\(DesktopOpener.noneInstalled), so no browser can be started")
        }
        var environment = environment
        environment["XDG_ACTIVATION_TOKEN"] = activationToken
        environment["DESKTOP_STARTUP_ID"] = activationToken
        let process = try start(program, [program] + arguments + [page], environment)
        // Some openers stay until the browser ends. Nobody waits for that but the system, which wants to know that somebody
        // has seen the end.
        DetachedThread.start {
            var status: CInt = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }

    private func start(
        _ program: String, _ arguments: [String], _ environment: [String: String]
    ) throws(Failure) -> pid_t {
        var process: pid_t = 0
        let result = withPointers(arguments) { arguments in
            withPointers(environment.map { "\($0)=\($1)" }) { environment in
                chandoff_spawn(&process, program, arguments, environment, "/", -1, -1, -1)
            }
        }
        guard result == 0 else {
            throw Failure(.noApp, "cannot start \(program): \(String(cString: strerror(result)))")
        }
        return process
    }

    private func withPointers<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }
}
