// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
internal import Glibc
internal import HandoffClient
import HandoffHost
import HandoffSystem
import HandoffWire

struct ProgramsCheck: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check an adapter: whether it keeps every rule of docs/adapters.md.",
        discussion: """
            Starts the adapter on a bus of its own, plays the desktop's part, and prints a line for each rule. Needs no daemon, \
            and changes nothing of yours: the adapter and its program get an empty home folder.

            The rules about what the program shows need the option --drive: a command that is called with one word, and \
            drives the program. Its words are open, move, private (show something that must not be offered), flood (change \
            for some seconds as fast as possible), close and kill. It ends with 0 once the program has done it, and with \
            \(CheckedRule.cannot) if the program cannot do it.
            """)

    @Option(
        help: ArgumentHelp("The command that drives the program.", valueName: "command"), completion: .file())
    var drive: String?

    @Argument(help: "The program, by the identifier of its desktop entry.")
    var program: String

    @Argument(help: "The adapter.", completion: .file())
    var adapter: String

    @Argument(help: "The adapter's arguments; write -- before those that begin with a dash.")
    var arguments: [String] = []

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        guard (try? BundleID(systemProgram: program)) != nil else {
            throw CommandFailure.usage("\(program) is not the identifier of a desktop entry")
        }
        let checker = CompanionProgram("handoff-bus", besides: ThisProcess.current.executable)
        guard let path = checker.installedPath else {
            throw CommandFailure(
                .failed, code: "noProgram", "handoff-bus is not installed", advice: "install the package handoff")
        }
        let command = [path, "--check-adapter", program, drive ?? "", adapter] + arguments
        let rules = try run(command, output)
        let failed = rules.count { $0.outcome == .failed }
        let all = rules.count
        guard failed == 0 else {
            throw CommandFailure(
                .failed, code: "failed", "\(adapter) breaks \(failed) of \(all) rules",
                advice: "docs/adapters.md explains the rules")
        }
    }

    /// Shows each rule as soon as it is checked.
    private func run(_ command: [String], _ output: Output) throws -> [CheckedRule] {
        do throws(SystemError) {
            let (input, lines) = (try ProgramPipe(), try ProgramPipe())
            let process = try SpawnedProcess(
                executable: command[0], arguments: command, environment: ProcessEnvironment.read(), directory: ".",
                input: input.reading, output: lines.writing, errors: STDERR_FILENO)
            input.closeReading()
            lines.closeWriting()
            var rules: [CheckedRule] = []
            var rest: [UInt8] = []
            while let more = lines.readSome() {
                rest += more
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    if let rule = CheckedRule(line: String(decoding: rest[..<end], as: UTF8.self)) {
                        rules.append(rule)
                        output.show(rule)
                    }
                    rest = Array(rest[(end + 1)...])
                }
            }
            // Held until here: the checker ends if this process does.
            input.closeWriting()
            guard process.waitForStatus() == 0 else { throw SystemError(ECANCELED, "the check") }
            return rules
        } catch {
            throw CommandFailure(.failed, code: "failed", "the check did not complete: \(error.description)")
        }
    }
}

struct CheckedRule: Renderable {
    enum Outcome: String, Encodable {
        case ok
        case failed
        case notChecked = "not-checked"
    }

    /// The driving command's exit status if the program cannot do it.
    static let cannot = 64

    let rule: String
    let outcome: Outcome
    let seen: String
    let right: String

    /// Nil: not a line of `handoff-bus --check-adapter`.
    init?(line: String) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let outcome = Outcome(rawValue: parts[1]) else { return nil }
        (rule, self.outcome, seen, right) = (parts[0], outcome, parts[2], parts[3])
    }

    func text(_ terminal: Terminal) -> String {
        let start = outcome.rawValue.padded(to: 13) + rule.padded(to: 14) + seen
        return outcome == .failed ? "\(start). Right: \(right)." : start
    }
}
