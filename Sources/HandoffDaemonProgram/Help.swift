// SPDX-License-Identifier: Apache-2.0

internal import HandoffDaemon

/// The text of `--help`, made from the settings so that it is never outdated.
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
