// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct CommonOptions: ParsableArguments {
    @Flag(help: "Print JSON, one document per line.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "The root folder of the daemon to use. Default: HANDOFF_ROOT, otherwise the current user's daemon.",
            valueName: "dir"),
        completion: .directory)
    var root: String?

    var locations: Locations { ThisProcess.locations(root: root) }

    func validate() throws {
        if root?.isEmpty == true { throw ValidationError("--root needs a folder") }
    }

    func connect() throws(CommandFailure) -> BlockingClient {
        try BlockingClient.connect(common: self, name: "handoff")
    }

    func connectIfRunning() throws(CommandFailure) -> BlockingClient? {
        do throws(CommandFailure) {
            return try connect()
        } catch {
            if error.status == .noDaemon { return nil }
            throw error
        }
    }
}

/// An error becomes a sentence, with `--json` an object, and an exit code.
protocol Verb: ParsableCommand {
    var common: CommonOptions { get }
    func perform(_ output: Output) throws
}

extension Verb {
    func run() throws {
        let output = Output(json: common.json)
        do {
            try perform(output)
        } catch let failure as CommandFailure {
            output.fail(failure)
            throw ExitCode(failure.status.rawValue)
        } catch let failure as Failure {
            let failure = CommandFailure(failure)
            output.fail(failure)
            throw ExitCode(failure.status.rawValue)
        }
    }
}
