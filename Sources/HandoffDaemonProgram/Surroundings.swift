// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffDaemon
internal import HandoffHost
internal import HandoffSystem
internal import HandoffWire

/// What the daemon was started with, read once.
struct Surroundings {
    let arguments: [String]
    let environment: [String: String]
    let locations: Locations
    let supervisor: Supervisor

    init(arguments: [String]) throws {
        self.arguments = arguments
        let environment = Self.readEnvironment()
        supervisor = Supervisor(environment: environment, process: getpid())
        // No program that the daemon starts is what its service manager speaks with.
        self.environment = environment.filter { !Supervisor.variables.contains($0.key) }
        locations = Locations(
            root: try Settings.root(in: arguments), environment: environment, workingDirectory: Self.workingDirectory,
            userID: getuid())
    }

    func settings() async throws -> Settings {
        let file = locations.configurationFile
        do {
            return try await Settings.read(
                arguments: arguments, environment: environment, file: file, machineName: MachineName().text)
        } catch let error as SettingsError where error.key == file {
            // The library's own words name its types.
            do throws(SystemError) { _ = try UserFile(path: file).read(limit: ConfigurationFile.limit) } catch {
                throw SettingsError(key: file, value: "", expected: "a JSON object; it cannot be read: \(error.reason)")
            }
            throw error
        }
    }

    /// What stands in the configuration file and is no setting. Empty where the file cannot be read: `settings` says so.
    var unknownSettings: [UnknownSetting] {
        let file = UserFile(path: locations.configurationFile)
        guard let bytes = try? file.read(limit: ConfigurationFile.limit),
            let text = try? ConfigurationFile(bytes, path: file.path)
        else { return [] }
        return text.unknownSettings
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

    /// A dot where it was removed: nothing can be made below it then.
    private static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }

    /// With every link followed; nil where it is not said.
    var home: AbsolutePath? {
        environment["HOME"].flatMap { try? AbsolutePath($0) }.map(\.followingLinks)
    }

    static var processID: Int { Int(getpid()) }

    /// This program's own file, which other programs lie beside.
    static var executable: String { "/proc/self/exe".linkTarget() ?? "" }
}
