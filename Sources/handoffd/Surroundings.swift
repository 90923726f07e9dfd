// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffDaemon
import HandoffWire

/// What the daemon was started with, read once.
struct Surroundings {
    let arguments: [String]
    let environment: [String: String]
    let locations: Locations

    init(arguments: [String]) throws {
        self.arguments = arguments
        let environment = Self.readEnvironment()
        self.environment = environment
        let root = try Settings.root(in: arguments, workingDirectory: Self.workingDirectory)
        locations = root.map(Locations.init(root:)) ?? Locations(environment: environment, userID: getuid())
    }

    func settings() async throws -> Settings {
        try await Settings.read(
            arguments: arguments, environment: environment, file: locations.configurationFile, hostName: Self.hostName)
    }

    private static func readEnvironment() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return variables
    }

    private static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    static var processID: Int { Int(getpid()) }

    private static var hostName: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { name in
            guard gethostname(name.baseAddress!, name.count - 1) == 0 else { return "linux" }
            name[name.count - 1] = 0
            return String(cString: name.baseAddress!)
        }
    }
}
