// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HandoffClient
import HandoffStrings
import HandoffWire
import TestPrograms

@testable import HandoffWindowModel

/// A device with its real daemon and its `WindowDaemonClient`, but without a window.
@MainActor
final class Seat {
    let client: WindowDaemonClient
    /// `HOST:PORT` of its daemon.
    let address: String
    let root: String
    private(set) var said: [String] = []
    private(set) var opened: [String] = []
    /// Whether opening a page succeeds.
    var hasBrowser = true
    private let daemon: Program
    private let changes: AsyncStream<Void>
    private let happened: AsyncStream<Void>.Continuation

    nonisolated static let hop: DaemonClient.Hop = { work in DispatchQueue.main.async { work() } }

    /// `windowRoot`: where the window looks for files until a daemon names its own.
    init(_ name: String, in folder: String, windowRoot: String? = nil) async throws {
        root = "\(folder)/\(name)"
        daemon = try Program(
            [
                Program.built + "/handoffd", "--root", root, "--name", name,
                "--beacons", "false", "--listen", "127.0.0.1:0",
            ], environment: [:])
        try await daemon.warn("Ready")
        let line = daemon.errors.split(separator: " ").first { $0.hasPrefix("listening=") }
        address = String(line?.dropFirst("listening=".count) ?? "")
        (changes, happened) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let locations = Locations(root: root, environment: [:], workingDirectory: "/", userID: getuid())
        client = WindowDaemonClient(
            strings: LocalizedStrings(.english), locations: windowRoot.map { Locations(root: $0) } ?? locations,
            makeLine: { DaemonConnection(locations: locations) }, hop: Self.hop)
        client.changed = { [happened] _ in happened.yield() }
        client.said = { [unowned self] in said.append($0) }
        client.openPage = { [unowned self] page, answer in
            opened.append(page)
            answer(hasBrowser)
        }
        client.start()
    }

    /// The suite's time limit bounds the wait.
    func wait(until isSo: @MainActor () -> Bool) async {
        if isSo() { return }
        for await _ in changes where isSo() { return }
    }

    func invite() -> Inviting {
        let inviting = client.invite()
        inviting.changed = { [happened] in happened.yield() }
        return inviting
    }

    /// Runs the command here until it is killed or ends.
    func command(_ arguments: String...) throws -> Program {
        try Program(
            [Program.built + "/handoff"] + arguments,
            environment: ["HANDOFF_ROOT": root])
    }

    /// Returns once the daemon's log contains this.
    func logged(_ text: String) async throws { try await daemon.warn(text) }

    func stopDaemon() async {
        daemon.send(SIGTERM)
        _ = await daemon.wait { !$0.isRunning }
    }
}
