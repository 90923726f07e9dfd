// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

extension IconDrawer {
    private static let name = "handoff-desktop"
    private static let option = "--draw-icons"

    /// `handoff-desktop` beside `executable` (a build), or in PREFIX/bin for a program in PREFIX/libexec/handoff, with
    /// the display that the user has now. `environment`: of this process.
    package static func installed(besides executable: String, environment: [String: String]) -> IconDrawer {
        IconDrawer {
            let paths = [executable.parent, executable.parent.parent.parent + "/bin"].map { $0 + "/" + name }
            guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { return nil }
            var variables = PresentSession(environment: environment).read().variables
            guard ["WAYLAND_DISPLAY", "DISPLAY"].contains(where: { variables[$0]?.isEmpty == false }) else {
                return nil
            }
            // It shows nothing that a screen reader could read.
            variables["GTK_A11Y"] = "none"
            return Program(command: [path, option], environment: variables)
        }
    }
}
