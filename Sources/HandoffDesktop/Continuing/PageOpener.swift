// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// Hands a web page to the user's browser, the desktop's way, as `handoff activity continue` does. Where the user's service
/// manager runs it starts the browser: nothing that confines this program, and no restart of it, is to reach that.
struct PageOpener {
    private let environment = ProcessInfo.processInfo.environment

    /// Throws `.notAllowed` for anything but http and https, `.noApp` where nothing can open pages.
    func open(_ page: String, activationToken: ActivationToken?) throws(Failure) {
        guard WebPageURL.isAllowed(page) else { throw Failure(.notAllowed, "only http and https pages are opened") }
        guard let (opener, arguments) = DesktopOpener.installed(path: environment["PATH"]) else {
            throw Failure(.noApp, "\(DesktopOpener.noneInstalled), so no browser can be started")
        }
        var environment = environment
        environment[ActivationToken.variable] = activationToken?.text
        environment[ActivationToken.olderVariable] = activationToken?.text
        var command = [opener] + arguments + [page]
        if let manager = TransientUnits(environment: environment) {
            let options = ["--collect", "--slice=app.slice", "--description=Web page"]
            command = manager.arguments(options, environment: Array(environment.keys), command: command)
        }
        let process: SpawnedProcess
        do throws(SystemError) {
            process = try SpawnedProcess(
                executable: command[0], arguments: command, environment: environment, directory: "/", output: nil)
        } catch {
            throw Failure(.noApp, "cannot start \(command[0]): \(error.reason)")
        }
        // Some openers stay until the browser ends. Nobody waits for that but the system, which wants to know that somebody
        // has seen the end.
        DetachedThread.start { _ = process.waitForStatus() }
    }
}
