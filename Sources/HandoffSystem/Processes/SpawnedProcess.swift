// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// Starts in its own session, with only the standard descriptors and default signal handling.
package struct SpawnedProcess: Sendable {
    package let id: Int32

    /// Also throws if the program cannot be run. Input is `/dev/null`; output and errors go to `output`, or nowhere.
    package init(
        executable: String, arguments: [String], environment: [String: String], directory: String, output: CInt?
    ) throws(SystemError) {
        try self.init(
            executable: executable, arguments: arguments, environment: environment, directory: directory, input: nil,
            output: output, errors: output)
    }

    /// Nil: `/dev/null`. Not our own standard descriptors.
    package init(
        executable: String, arguments: [String], environment: [String: String], directory: String, input: CInt?,
        output: CInt?, errors: CInt?
    ) throws(SystemError) {
        let variables = environment.map { "\($0)=\($1)" }.sorted()
        var process: pid_t = 0
        let result = Self.withPointers(to: arguments) { argv in
            Self.withPointers(to: variables) { envp in
                chandoff_spawn(
                    &process, executable, argv, envp, directory, input ?? -1, output ?? -1, errors ?? -1)
            }
        }
        guard result == 0 else { throw SystemError(result, executable) }
        id = process
    }

    /// Only before waiting: afterwards the number may be reused.
    package func kill() { _ = Glibc.kill(id, SIGKILL) }

    /// Blocks. Nil, with `errno`, if the status was lost.
    package func waitForStatus() -> CInt? {
        var status: CInt = 0
        return retrying { waitpid(id, &status, 0) } == id ? status : nil
    }

    private static func withPointers<Result>(
        to strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }
}

extension SpawnedProcess {
    /// Blocks. Nil: the program is not installed, did not end with code 0, needed longer than `patience`, or wrote more
    /// than `limit` bytes; then it is killed.
    package static func output(
        of program: String, _ arguments: [String], environment: [String: String], limit: Int, within patience: Duration
    ) -> [UInt8]? {
        guard let file = ProgramFinder(environment: environment).path(of: program), let output = try? ProgramPipe(),
            let process = try? SpawnedProcess(
                executable: file, arguments: [file] + arguments, environment: environment, directory: "/", input: nil,
                output: output.writing, errors: nil)
        else { return nil }
        output.closeWriting()
        let answer = output.readAll(limit: limit, until: .now + patience)
        let isWhole = answer.map { $0.count <= limit } ?? false
        if !isWhole { process.kill() }
        return process.waitForStatus() == 0 && isWhole ? answer : nil
    }
}
