// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
package import HandoffWire

/// Opens Handoff's window over the user's bus, which starts it.
package struct WindowOpener: Sendable {
    private static let name = "org.handoff.Handoff"
    /// Includes the start of the window.
    private static let patience = Duration.seconds(30)

    private let environment: [String: String]

    package init(environment: [String: String]) { self.environment = environment }

    /// False with `HANDOFF_ROOT`, which the bus does not know.
    package var isInstalled: Bool {
        guard environment[Locations.rootVariable] == nil else { return false }
        return DesktopBus.address(environment) != nil
            && UserDataFolders(environment).data.contains {
                access("\($0)/dbus-1/services/\(Self.name).service", R_OK) == 0
            }
    }

    /// Blocks until the window has answered.
    package func open() throws(Failure) {
        guard let bus = DesktopBus(environment) else {
            throw Failure(.noApp, "the user's bus, which opens Handoff's window, cannot be reached")
        }
        switch bus.activate(Self.name, at: Self.name.applicationPath, within: Self.patience) {
        case .done: return
        case .absent: throw Failure(.noApp, "Handoff's window is not installed")
        case .refused(let error): throw Failure(.appDidNotStart, "Handoff's window did not open: \(error)")
        case .late: throw Failure(.appDidNotAnswer, "Handoff's window did not answer in time")
        }
    }
}
