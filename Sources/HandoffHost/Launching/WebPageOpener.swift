// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
package import HandoffWire

/// Hands a web page to the user's browser, the desktop's way. Never waited for: some openers stay until the browser ends.
package struct WebPageOpener {
    private let environment: [String: String]

    package init(environment: [String: String]) { self.environment = environment }

    /// Throws `.notAllowed` for anything but http and https, `.noApp` where nothing can open pages.
    package func open(_ url: String) throws(Failure) {
        guard WebPageURL.isAllowed(url) else { throw Failure(.notAllowed, "only http and https pages are opened") }
        guard let (program, arguments) = DesktopOpener.installed(path: environment["PATH"]) else {
            throw Failure(.noApp, "\(DesktopOpener.noneInstalled), so no browser can be started")
        }
        do throws(SystemError) {
            _ = try SpawnedProcess(
                executable: program, arguments: [program] + arguments + [url], environment: environment,
                directory: "/", output: nil)
        } catch {
            throw Failure(.noApp, "cannot start \(program): \(error.reason)")
        }
    }
}
