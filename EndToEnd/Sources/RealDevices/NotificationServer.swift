// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A program that shows desktop notifications, and a way to press their buttons.
package final class NotificationServer {
    package enum Kind: String, CaseIterable, Sendable {
        /// Shows nothing and acts as instructed.
        case mock
        case dunst
        case xfce
        case gnomeFlashback

        package var program: String {
            switch self {
            case .mock: "/usr/bin/python3"
            case .dunst: "/usr/bin/dunst"
            case .xfce: "/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd"
            case .gnomeFlashback: "/usr/lib/notification-daemon/notification-daemon"
            }
        }

        fileprivate var arguments: [String] {
            self == .mock ? ["-m", "dbusmock", "--template", "notification_daemon"] : []
        }

        package var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }
    }

    /// The calls and signals between it and its clients, line by line.
    package let said: RunningProgram
    private let kind: Kind
    private let desktop: Desktop
    private let program: RunningProgram

    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    package init(_ kind: Kind, on desktop: Desktop, of stage: Stage) throws {
        self.kind = kind
        self.desktop = desktop
        said = try desktop.listen(to: Self.name)
        program = try stage.start(
            [kind.program] + kind.arguments, environment: desktop.environment, name: "notification server")
        try run(["gdbus", "wait", "--session", "--timeout", "20", Self.name])
    }

    /// The text of the next requested notification.
    @discardableResult
    package func next(_ text: String) throws -> String {
        try said.output.next("a notification of \(text)", within: .seconds(20)) { $0.contains("string \"\(text)") }
    }

    /// Presses Continue, or the whole notification if the server has no buttons.
    package func pressContinue() throws {
        switch kind {
        case .mock:
            try call(
                "org.freedesktop.DBus.Mock.EmitSignal", Self.name, "ActionInvoked", "us",
                "[<uint32 1>, <'continue'>]")
        // A left click closes it.
        case .dunst: try desktop.click(onWindowOf: "Dunst", button: 2)
        case .xfce: try desktop.click(onWindowOf: "xfce4-notifyd", onButton: true)
        case .gnomeFlashback: try desktop.click(onWindowOf: "notification-daemon")
        }
    }

    private func call(_ method: String, _ arguments: String...) throws {
        try run(
            ["gdbus", "call", "--session", "-d", Self.name, "-o", Self.path, "-m", method] + arguments)
    }

    private func run(_ command: [String]) throws {
        let ended = try RunningProgram.run(command, environment: desktop.environment)
        guard ended.code == 0 else { throw Unmet("\(command.joined(separator: " ")): \(ended.errors)") }
    }
}

extension Device {
    /// Starts the program that connects Handoff to the session bus, as a session does.
    package func startBus() throws -> RunningProgram {
        try stage.start(
            prefix + [Builds.bus, "--root", root.path], environment: environment, name: "handoff-bus of \(name)")
    }
}
