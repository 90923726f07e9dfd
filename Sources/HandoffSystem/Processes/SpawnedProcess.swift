// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// A program that was started: in a session of its own, with no descriptor of ours but the three standard ones, and with
/// signals as a fresh login has them.
package struct SpawnedProcess: Sendable {
    package let id: Int32

    /// Throws what the system says, also where the program itself cannot be run.
    /// Standard input is `/dev/null`; output and errors go to `output`, or nowhere.
    package init(
        executable: String, arguments: [String], environment: [String: String], directory: String, output: CInt?
    ) throws(SystemError) {
        try self.init(
            executable: executable, arguments: arguments, environment: environment, directory: directory, input: nil,
            output: output, errors: output)
    }

    /// nil is `/dev/null`, and none of them one of our own standard ones.
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

    /// To be called before it is waited for alone: afterwards its number may be another's.
    package func kill() { _ = Glibc.kill(id, SIGKILL) }

    /// Blocks until it ended. Nil, with the reason in `errno`: it was lost sight of.
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
