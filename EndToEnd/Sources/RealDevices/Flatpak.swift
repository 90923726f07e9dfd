// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A device's Flatpak, with apps of this test and a documents portal.
package struct Flatpak {
    /// Runs `EndToEnd/sandboxed`.
    package static let app = "com.example.sandboxed"
    /// The same program.
    package static let other = "com.example.other"
    package static let activityType = "com.example.sandboxed.writing"

    private static let services = [
        "org.freedesktop.Flatpak": "/usr/libexec/flatpak-session-helper",
        "org.freedesktop.portal.Documents": "/usr/libexec/xdg-document-portal",
        "org.freedesktop.impl.portal.PermissionStore": "/usr/libexec/xdg-permission-store",
    ]

    /// Why sandboxes cannot run here; nil if they can.
    package static let missing: String? = {
        guard geteuid() == 0 else { return "the programs of another user need root" }
        let programs = ["/usr/bin/flatpak", "/usr/bin/fusermount3"] + services.values
        guard programs.allSatisfy(FileManager.default.isExecutableFile) else {
            return "there is no Flatpak with a documents portal; run: make setup-test"
        }
        guard FileManager.default.isReadableFile(atPath: "/dev/fuse") else { return "there is no /dev/fuse" }
        let probe = ["setpriv", "--reuid=65534", "--clear-groups", "bwrap", "--ro-bind", "/", "/", "true"]
        let ended = try? RunningProgram.run(probe)
        return ended?.code == 0 ? nil : "users cannot make sandboxes here: \(ended?.errors ?? "")"
    }()

    private let device: Device

    /// Makes a repository with both apps.
    package static func makeRepository(in folder: URL) throws -> URL {
        let repository = folder.appending(path: "repository")
        let command = [Builds.flatpak, repository.path, Builds.sandboxed, activityType, app, other]
        let ended = try RunningProgram.run(command, within: .seconds(120))
        guard ended.code == 0 else { throw Unmet("the Flatpaks cannot be built: \(ended.errors)") }
        return repository
    }

    /// Installs the apps for the device's user, who owns `home`, and starts that user's bus.
    package init(on device: Device, from repository: URL, user: UInt32, of stage: Stage) throws {
        self.device = device
        let (home, runtime) = (device.root.appending(path: "home"), device.root.appending(path: "home/run"))
        try FileManager.default.createDirectory(
            at: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let data = home.path + "/.local/share"
        device.environment.merge([
            "HOME": home.path, "XDG_CONFIG_HOME": home.path + "/.config", "XDG_DATA_HOME": data,
            "XDG_DATA_DIRS": data + "/flatpak/exports/share:/usr/share", "XDG_RUNTIME_DIR": runtime.path,
        ]) { $1 }
        // As root, because for others Flatpak asks the system's bus about parental controls.
        for command in [
            ["remote-add", "--no-gpg-verify", "test", repository.path],
            ["install", "--assumeyes", "--noninteractive", "test", Self.app, Self.other],
        ] {
            let ended = try RunningProgram.run(
                ["flatpak", "--user"] + command, environment: device.environment, within: .seconds(60))
            guard ended.code == 0 else { throw Unmet("flatpak \(command[0]): \(ended.errors)") }
        }
        _ = try RunningProgram.run(["chown", "-R", "\(user):\(user)", home.path])
        let bus = try SessionBus(on: stage, in: device.root, environment: device.environment, prefix: device.prefix)
        device.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        for (name, program) in Self.services { try bus.start(name, by: [program]) }
        end(Self.app)
        stage.afterwards { _ = try? RunningProgram.run(["umount", "--lazy", runtime.appending(path: "doc").path]) }
    }

    /// Runs the app as its user would; the test controls its input. `options`: of `flatpak run`. `claim`: the app as which
    /// it registers.
    package func run(_ id: String = app, _ options: [String] = [], claim: String? = nil) throws -> RunningProgram {
        let program = try device.start(
            program: ["flatpak", "run"] + options + [id] + (claim.map { [$0] } ?? []), name: id)
        end(id)
        try program.output.next("its sandbox", within: .seconds(30)) { $0 == "sandbox \(id)" }
        return program
    }

    /// At the end of the stage. The sandbox outlives a signal to the program that made it.
    private func end(_ id: String) {
        let (command, environment) = (device.prefix + ["flatpak", "kill", id], device.environment)
        device.stage.afterwards { _ = try? RunningProgram.run(command, environment: environment) }
    }

    /// The output of the app when the daemon starts it.
    package func log(of id: String = app) throws -> Transcript {
        try device.stage.follow(
            device.root.appending(path: "state/logs/\(id).log"), name: "log of \(id) on \(device.name)")
    }
}
