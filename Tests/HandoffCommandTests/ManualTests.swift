// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HandoffCore
import TestPrograms
import Testing

@testable import HandoffCommand

/// The manual page that `make install` installs. Shows L08.
@Suite struct ManualTests {
    private static let script = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scripts/manual").path

    /// The page in man(7) format, without font markup. `page`: the section, for another program.
    private func manual(_ name: String = "handoff", _ page: String...) async throws -> String {
        let program = try Program(
            [Self.script, Program.built + "/" + name] + page, environment: ProcessInfo.processInfo.environment)
        #expect(await program.end() == 0)
        #expect(program.errors == "")
        return program.output.replacing("\\fB", with: "").replacing("\\fR", with: "").replacing("\\-", with: "-")
    }

    private func verbs(_ command: any ParsableCommand.Type, after words: [String] = []) -> [[String]] {
        let words = words + [command.configuration.commandName ?? ""]
        let children = command.configuration.subcommands
        return children.isEmpty ? [words] : children.flatMap { verbs($0, after: words) }
    }

    @Test func everyVerbAndEveryOptionIsInTheManual() async throws {
        let sections = try await manual().components(separatedBy: "\n.SS ").dropFirst()
        let verbs = verbs(HandoffCommand.self)
        #expect(verbs.count > 20)
        #expect(sections.count == verbs.count)
        for words in verbs {
            let verb = words.joined(separator: " ")
            #expect(sections.contains { "\($0) ".hasPrefix("\(verb) ") || $0.hasPrefix("\(verb)\n") }, "\(verb)")
        }
        let install = try #require(sections.first { $0.hasPrefix("handoff app install ") })
        for option in ["--trust-team", "--force", "--development"] {
            #expect(install.contains("\n.TP\n\(option)\n"), "\(option)")
        }
    }

    @Test func exitCodesAreInTheManual() async throws {
        let codes = try #require(try await manual().components(separatedBy: "\n.SH EXIT STATUS\n").last)
        for status in ExitStatus.allCases { #expect(codes.contains("\n\(status.rawValue)\n\(status.meaning)")) }
    }

    @Test func examplesInTheManualAreUnderstood() async throws {
        let page = try await manual()
        for title in ["ENVIRONMENT", "FILES"] { #expect(page.contains("\n.SH \(title)\n.TP\n"), "\(title)") }
        let examples = try #require(page.components(separatedBy: "\n.SH EXAMPLES\n").last)
        let commands = examples.split(whereSeparator: { $0 == "\n" || $0 == "|" }).map { $0.split(separator: " ") }
            .filter { $0.first == "handoff" }
        #expect(commands.count == 6)
        for words in commands {
            _ = try HandoffCommand.parseAsRoot(words.dropFirst().map(String.init))
        }
    }

    @Test func aFlagAndItsOppositeAreOneEntryOfTheManual() async throws {
        #expect(try await manual().contains("\n.TP\n--wait, --no-wait\n"))
    }

    // Shows L04, L14.
    @Test func theDaemonsFlagsAndItsFilesKeysAreInTheManual() async throws {
        let daemon = try await manual("handoffd", "8")
        #expect(daemon.hasPrefix(".TH HANDOFFD 8\n.SH NAME\nhandoffd - the Handoff daemon\n"), "\(daemon)")
        let settings = try await manual("handoff", "settings")
        for (flag, key) in [("--log-level", "logLevel"), ("--web-developer", "webDeveloper"), ("--peer", "peer")] {
            #expect(daemon.contains("\n.TP\n\(flag) "), "\(flag)")
            #expect(settings.contains("\n.TP\n\(key): "), "\(key)")
        }
        #expect(settings.contains("beacons: \\fItrue or false\n"), "\(settings)")
        // Settings of the desktop program are not flags of the daemon.
        for setting in Setting.all { #expect(settings.contains("\n.TP\n\(setting.shownKey): "), "\(setting.shownKey)") }
        #expect(!settings.contains("root"))
        for code in ["0", "1", "64"] { #expect(daemon.contains("\n.TP\n\(code)\n"), "\(code)") }
    }
}
