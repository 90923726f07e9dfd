// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffDaemon
import HandoffHost
import HandoffNet
import HandoffSystem
import HandoffWire
import Logging
import NIOCore
import NIOPosix

package enum Handoffd {
    enum ExitCode: Int32 {
        /// Stopped in order, by SIGTERM or SIGINT.
        case stopped = 0
        /// The reason is on stderr.
        case failed = 1
        /// An invalid flag, variable or configuration key (EX_USAGE).
        case usage = 64
    }

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
        if let position = CommandLine.firstMalformedArgument {
            complain("argument \(position) is not UTF-8")
            exit(ExitCode.usage.rawValue)
        }
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
            let standardError = DroppingStream(STDERR_FILENO)
            LoggingSystem.bootstrap { StreamLogHandler(label: $0, stream: standardError) }
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

    /// The daemon still starts, because another version may know the setting.
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

/// Made from the settings, so that it is never outdated.
enum Help {
    static var text: String {
        let flags = Settings.manual.map { (flag: "--\($0.key) \($0.takes)", does: $0.does) }
        let width = flags.map(\.flag.count).max() ?? 0
        let rows = flags.map { row in
            "  \(row.flag)\(String(repeating: " ", count: width - row.flag.count))  \(row.does)"
        }
        return """
            The Handoff daemon. It lets your devices continue each other's activities.

            usage: handoffd [flags]

            \(rows.joined(separator: "\n"))

            Each flag can also be given as an environment variable (--log-level as HANDOFF_LOG_LEVEL) or as a key of
            config.json in the configuration folder ("logLevel"). Flags override variables, and variables override the file.

            exit codes: 0 stopped by SIGTERM or SIGINT; 1 failed to start or to continue running; 64 invalid setting
            """
    }
}
