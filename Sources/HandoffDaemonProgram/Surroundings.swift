// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffDaemon
internal import HandoffHost
internal import HandoffSystem
internal import HandoffWire

struct Surroundings {
    let arguments: [String]
    let environment: [String: String]
    let locations: Locations
    let supervisor: Supervisor

    init(arguments: [String]) throws {
        self.arguments = arguments
        let environment = ProcessEnvironment.read()
        supervisor = Supervisor(environment: environment, process: getpid())
        // Programs that the daemon starts may not talk to its service manager.
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
            // The library's own error text names its types.
            do throws(SystemError) { _ = try UserFile(path: file).read(limit: ConfigurationFile.limit) } catch {
                throw SettingsError(key: file, value: "", expected: "a JSON object; it cannot be read: \(error.reason)")
            }
            throw error
        }
    }

    /// Empty if the file cannot be read: `settings` reports that.
    var unknownSettings: [UnknownSetting] {
        let file = UserFile(path: locations.configurationFile)
        guard let bytes = try? file.read(limit: ConfigurationFile.limit),
            let text = try? ConfigurationFile(bytes, path: file.path)
        else { return [] }
        return text.unknownSettings
    }

    /// A dot if the directory was removed: nothing can be created below it.
    private static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }

    /// With all links resolved; nil if HOME is not set.
    var home: AbsolutePath? {
        environment["HOME"].flatMap { try? AbsolutePath($0) }.map(\.followingLinks)
    }

    static var processID: Int { Int(getpid()) }

    /// This program's own file; other programs are next to it.
    static var executable: String { "/proc/self/exe".linkTarget() ?? "" }
}

extension DocumentPlaces {
    /// With all links resolved, because apps report real paths. Throws if a location is not an absolute path.
    init(_ locations: Locations) throws(WireError) {
        var apart: [AbsolutePath] = []
        for path in [locations.state, locations.configuration, locations.apps, locations.received, locations.runtime] {
            apart.append(try AbsolutePath(path).followingLinks)
        }
        self.init(containers: try AbsolutePath(locations.containers).followingLinks, apart: apart)
    }
}
