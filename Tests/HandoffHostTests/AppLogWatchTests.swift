// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import HandoffWire
import Testing

@testable import HandoffHost

/// A growing log of a real process. `ProcessLauncherTests` tests the log of an app that the launcher starts.
@Suite(.timeLimit(.minutes(1))) struct AppLogWatchTests {
    private let home = TemporaryDirectory()

    /// The app exits when it sees that its log was rotated, and gives up after ten seconds.
    private static let app = """
        head -c 2000000 /dev/zero | tr '\\0' x
        \(waitingApp)
        """

    private static let waitingApp = """
        for i in $(seq 1000); do [ ! -e "$0.1" ] || exit 0; sleep 0.01; done
        exit 1
        """

    // Shows L02.
    @Test(arguments: [true, false]) func aLogIsPutAsideWhileTheAppRunsWhetherOrNotItCanBeWatched(isWatched: Bool) throws
    {
        let log = AppLogFile(folder: home.path("logs"), bundle: try BundleID("com.example.notes"))
        let output = try log.open()
        let process = try SpawnedProcess(
            executable: "/bin/sh", arguments: ["sh", "-c", Self.app, log.path], environment: ["PATH": "/usr/bin:/bin"],
            directory: home.path, output: output.descriptor)
        if isWatched {
            AppLogWatch.run(log, while: process)
        } else {
            AppLogWatch.run(log, while: process, inotify: { -1 })
        }
        #expect(process.wait() == .exited(code: 0))
        #expect(home.text("logs/com.example.notes.log.1")?.utf8.count == AppLogFile.rotationBytes)
    }

    // Shows L02: an app may print more than the limit before the watch begins.
    @Test func aLogThatIsTooLargeBeforeTheWatchIsPutAside() throws {
        let log = AppLogFile(folder: home.path("logs"), bundle: try BundleID("com.example.notes"))
        let output = try log.open()
        try output.write([UInt8](repeating: UInt8(ascii: "x"), count: 2_000_000)[...])
        let process = try SpawnedProcess(
            executable: "/bin/sh", arguments: ["sh", "-c", Self.waitingApp, log.path],
            environment: ["PATH": "/usr/bin:/bin"], directory: home.path, output: output.descriptor)
        AppLogWatch.run(log, while: process)
        #expect(process.wait() == .exited(code: 0))
    }
}
