// SPDX-License-Identifier: Apache-2.0

extension SpawnedProcess {
    /// The standard output of a program that is found on the path. Blocks. Nil: the program is not installed, did not end with
    /// code 0, needed longer than `patience`, or wrote more than `limit` bytes; then it is killed.
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
