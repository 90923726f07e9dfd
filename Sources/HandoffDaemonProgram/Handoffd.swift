// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffDaemon
internal import HandoffHost
internal import HandoffNet
internal import HandoffSystem
internal import HandoffWire
internal import Logging
internal import NIOCore
internal import NIOPosix

/// The daemon of one user on one device.
package enum Handoffd {
    enum ExitCode: Int32 {
        /// Stopped in order, by SIGTERM or SIGINT.
        case stopped = 0
        /// Could not start or continue; the reason is on stderr.
        case failed = 1
        /// An invalid flag, variable or configuration key (EX_USAGE).
        case usage = 64
    }

    /// The number of unknown settings that are logged.
    private static let namedSettings = 16

    /// Not `async`: see `LoopExecutor`. The main thread waits; all work is done on one loop's thread.
    package static func main() {
        StandardDescriptors.fill()
        // A closed log or socket must not end the daemon.
        signal(SIGPIPE, SIG_IGN)
        // Nor must a document that exceeds the file size limit.
        signal(SIGXFSZ, SIG_IGN)
        ProcessMemory.keepToItself()
        DescriptorLimit.raise()
        let arguments = CommandLine.arguments
        if arguments.dropFirst().contains(where: { $0 == "--help" || $0 == "-h" }) {
            print(Help.text)
            exit(ExitCode.stopped.rawValue)
        }
        if arguments.dropFirst().contains("--version") {
            print(DisplayText.software.text)
            exit(ExitCode.stopped.rawValue)
        }
        let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = threads.next()
        let ended = loop.makePromise(of: ExitCode.self)
        Task(executorPreference: LoopExecutor(loop: loop)) {
            ended.succeed(await run(arguments: arguments, on: loop))
        }
        let code = (try? ended.futureResult.wait()) ?? .failed
        try? threads.syncShutdownGracefully()
        exit(code.rawValue)
    }

    private static func run(arguments: [String], on loop: any EventLoop) async -> ExitCode {
        do {
            let surroundings = try Surroundings(arguments: arguments)
            let settings = try await surroundings.settings()
            LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
            var log = Logger(label: "handoffd")
            log.logLevel = settings.logLevel
            warn(of: surroundings.unknownSettings, log)
            try await Daemon.run(settings, in: surroundings, on: loop, log: log)
            return .stopped
        } catch let error as SettingsError {
            complain("\(error)")
            return .usage
        } catch {
            complain("\(error)")
            return .failed
        }
    }

    /// Logged once, so that a typing error is noticed. The daemon still starts, because another version may know the
    /// setting.
    private static func warn(of unknown: [UnknownSetting], _ log: Logger) {
        for setting in unknown.prefix(namedSettings) {
            var metadata: Logger.Metadata = [
                "key": "\(DisplayText(cleaning: setting.key, limit: Limits.nameCharacters).text)"
            ]
            setting.meant.map { metadata["meant"] = "\($0)" }
            log.warning("Unknown setting", metadata: metadata)
        }
        let others = unknown.dropFirst(namedSettings).count
        if others > 0 { log.warning("More unknown settings", metadata: ["count": "\(others)"]) }
    }

    private static func complain(_ sentence: String) {
        let line = "handoffd: \(sentence)\n"
        write(STDERR_FILENO, line, line.utf8.count)
    }
}
