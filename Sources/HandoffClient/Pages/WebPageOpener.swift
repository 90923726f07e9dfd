// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
package import HandoffWire

/// Hands a web page to the user's browser, the desktop's way. Never waited for: some openers stay until the browser ends.
package struct WebPageOpener {
    private let environment: [String: String]
    private let manager: TransientUnits?

    /// `asUnit`: where the user's service manager runs it starts the browser, so that nothing which confines this program,
    /// and no restart of it, reaches that.
    package init(environment: [String: String], asUnit: Bool = false) {
        self.environment = environment
        manager = asUnit ? TransientUnits(environment: environment) : nil
    }

    /// Throws `.notAllowed` for anything but http and https, `.noApp` where nothing can open pages.
    package func open(_ url: String) throws(Failure) {
        guard WebPageURL.isAllowed(url) else { throw Failure(.notAllowed, "only http and https pages are opened") }
        guard let (opener, arguments) = DesktopOpener.installed(path: environment["PATH"]) else {
            throw Failure(.noApp, "\(DesktopOpener.noneInstalled), so no browser can be started")
        }
        var command = [opener] + arguments + [url]
        if let manager {
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
        // The system wants to know that somebody has seen the end, whenever that is.
        DetachedThread.start { _ = process.waitForStatus() }
    }
}
