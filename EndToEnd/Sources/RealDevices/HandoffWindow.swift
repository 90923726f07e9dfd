// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The window of Handoff on a device's screen, read and operated through its accessible names, as by a screen reader.
package final class HandoffWindow {
    private static let patience = Duration.seconds(40)
    private let program: RunningProgram
    private let reader: WindowReader
    private let desktop: Desktop

    /// `desktop` is the device's own. `variables`: for the window's environment.
    package init(of device: Device, at desktop: Desktop, _ variables: [String: String] = [:]) throws {
        self.desktop = desktop
        var environment = device.environment
        environment["GTK_A11Y"] = "atspi"
        // OpenGL without a graphics card would leave no time for the screen reader while a spinner turns.
        environment["GSK_RENDERER"] = "cairo"
        environment["XDG_DATA_DIRS"] = Builds.root.appending(path: "Desktop/share").path + ":/usr/share"
        reader = try WindowReader(on: device.stage, in: environment, of: device.name)
        environment.merge(variables) { $1 }
        program = try device.stage.start(
            device.prefix + [Builds.programs.appending(path: "handoff-desktop").path], environment: environment,
            name: "window of \(device.name)")
        try desktop.turn(to: "^Handoff$")
    }

    /// Waits for an element with this in its name. Returns its role and whole name.
    @discardableResult
    package func see(_ name: String) throws -> String { try reader.see(name) }

    /// Waits until no element has this in its name.
    package func loses(_ name: String) throws { _ = try order("gone \(name)") }

    /// Waits for a label that matches.
    package func read(_ pattern: String) throws -> String { try order("match \(pattern)") }

    /// Presses the button with this in its name, once it exists.
    package func press(_ name: String) throws { _ = try order("press \(name)") }

    /// Presses the button with exactly this name, once it exists.
    package func choose(_ name: String) throws { _ = try order("choose \(name)") }

    /// The elements that take the focus but have no name.
    package func nameless() throws -> String { try order("nameless") }

    /// Resizes the window, pixels, and waits until its content fits the width. Repeats the request, because without a
    /// window manager, a window returns to its old size during layout.
    package func fit(width: Int, height: Int) throws {
        let deadline = ContinuousClock.now + Self.patience
        var edge = 0
        while ContinuousClock.now < deadline {
            try desktop.resize("^Handoff$", width: width, height: height)
            edge = Int(try order("edge")) ?? 0
            if (1...width).contains(edge) { return }
        }
        throw Unmet("it does not fit into \(width) pixels: something reaches to \(edge)")
    }

    package func close() { program.stop() }

    private func order(_ line: String) throws -> String { try reader.order(line) }
}

/// Reads Handoff's window on a session bus, which may not be open yet.
package final class WindowReader {
    private static let patience = Duration.seconds(40)
    private let hearing: RunningProgram
    private let program: RunningProgram

    package init(on stage: Stage, in environment: [String: String], of name: String) throws {
        hearing = try stage.start(
            ["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], environment: environment,
            name: "accessibility of \(name)")
        program = try stage.start(
            [Builds.root.appending(path: "EndToEnd/reader").path, "handoff-desktop"], environment: environment,
            name: "reader of \(name)")
    }

    /// Waits until an element has this in its name. Returns its role and whole name.
    @discardableResult
    package func see(_ name: String) throws -> String { try order("await \(name)") }

    fileprivate func order(_ line: String) throws -> String {
        guard hearing.isRunning else { throw Unmet("nothing tells screen readers of the window") }
        try program.say(line)
        return try program.output.next("an answer to \(line)", within: Self.patience) { _ in true }
    }
}
