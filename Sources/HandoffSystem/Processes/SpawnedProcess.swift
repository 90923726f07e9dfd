// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// Started in its own session, with only the three standard descriptors, and with default signal handling.
package struct SpawnedProcess: Sendable {
    package let id: Int32

    /// Also throws if the program itself cannot be run. Standard input is `/dev/null`. Output and errors are written to
    /// `output`, or discarded.
    package init(
        executable: String, arguments: [String], environment: [String: String], directory: String, output: CInt?
    ) throws(SystemError) {
        try self.init(
            executable: executable, arguments: arguments, environment: environment, directory: directory, input: nil,
            output: output, errors: output)
    }

    /// Nil means `/dev/null`. Our own standard descriptors are not allowed.
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

    /// Call this only before waiting for the process: afterwards its number may be reused.
    package func kill() { _ = Glibc.kill(id, SIGKILL) }

    /// Blocks until the process ends. Nil, with the reason in `errno`, if its status was lost.
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
