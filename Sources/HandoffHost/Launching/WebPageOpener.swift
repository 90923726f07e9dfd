// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
package import HandoffWire

/// Hands a web page to the user's browser, the desktop's way. Never waited for: some openers stay until the browser ends.
package struct WebPageOpener {
    /// The first that is installed is used.
    private static let openers = [("gio", ["open"]), ("xdg-open", [])]

    private let environment: [String: String]

    package init(environment: [String: String]) { self.environment = environment }

    /// Throws `.notAllowed` for anything but http and https, `.noApp` where nothing can open pages.
    package func open(_ url: String) throws(Failure) {
        guard WebPageURL.isAllowed(url) else { throw Failure(.notAllowed, "only http and https pages are opened") }
        for (name, arguments) in Self.openers {
            guard let program = find(name) else { continue }
            do throws(SystemError) {
                _ = try SpawnedProcess(
                    executable: program, arguments: [program] + arguments + [url], environment: environment,
                    directory: "/", output: nil)
                return
            } catch {
                throw Failure(.noApp, "cannot start \(program): \(error.reason)")
            }
        }
        throw Failure(.noApp, "neither gio nor xdg-open is installed, so no browser can be started")
    }

    private func find(_ name: String) -> String? {
        (environment["PATH"] ?? AppEnvironment.defaultPath)
            .split(separator: ":").map { "\($0)/\(name)" }
            .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }
}
