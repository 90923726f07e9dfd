// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The window of Handoff on a device's screen, and somebody who hears it: what it says of itself to screen readers, and its
/// buttons by their names.
package final class HandoffWindow {
    private static let patience = Duration.seconds(40)
    private let program: RunningProgram
    private let reader: RunningProgram
    private let desktop: Desktop

    /// `desktop` is the device's own. `variables`: of the window's environment.
    package init(of device: Device, at desktop: Desktop, _ variables: [String: String] = [:]) throws {
        self.desktop = desktop
        var environment = device.environment
        environment["GTK_A11Y"] = "atspi"
        environment["XDG_DATA_DIRS"] = Builds.root.appending(path: "Desktop/share").path + ":/usr/share"
        let hearing = try device.stage.start(
            ["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], environment: environment,
            name: "accessibility of \(device.name)")
        environment.merge(variables) { $1 }
        program = try device.stage.start(
            device.prefix + [Builds.programs.appending(path: "handoff-desktop").path], environment: environment,
            name: "window of \(device.name)")
        reader = try device.stage.start(
            [Builds.root.appending(path: "EndToEnd/reader").path, "handoff-desktop"], environment: environment,
            name: "reader of \(device.name)")
        guard hearing.isRunning else { throw Unmet("nothing tells screen readers of \(device.name)") }
        try desktop.turn(to: "^Handoff$")
    }

    /// Waits for something with this in its name; its role and its whole name.
    @discardableResult
    package func see(_ name: String) throws -> String { try order("await \(name)") }

    /// Waits until nothing with this in its name is there.
    package func loses(_ name: String) throws { _ = try order("gone \(name)") }

    /// Waits for a label that reads so.
    package func read(_ pattern: String) throws -> String { try order("match \(pattern)") }

    /// Presses the button with this in its name, once it is there.
    package func press(_ name: String) throws { _ = try order("press \(name)") }

    /// Presses the button of just this name, once it is there.
    package func choose(_ name: String) throws { _ = try order("choose \(name)") }

    /// What takes the focus and says nothing.
    package func nameless() throws -> String { try order("nameless") }

    /// Gives it a size, pixels, and waits until all it shows fits into the width. Said again and again: without a window
    /// manager, a window that is just being laid out goes back to the size it had.
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

    private func order(_ line: String) throws -> String {
        try reader.say(line)
        return try reader.output.next("an answer to \(line)", within: Self.patience) { _ in true }
    }
}
