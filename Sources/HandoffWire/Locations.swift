// SPDX-License-Identifier: Apache-2.0

/// By the XDG base directories, or under one root, for a second device on one machine. Depends only on arguments and
/// environment, so that app, command line and daemon agree. See docs/files.md.
package struct Locations: Hashable, Sendable {
    /// Keys, roster, known addresses. 0700.
    package let state: String
    /// `config.json`.
    package let configuration: String
    package let apps: String
    package let containers: String
    /// Copies of documents from outside any container.
    package let received: String
    /// Sockets and lock. 0700, removed at log-out.
    package let runtime: String
    package let root: String?

    package static let rootVariable = "HANDOFF_ROOT"
    package static let launchTokenVariable = "HANDOFF_LAUNCH_TOKEN"
    package static let launchActivityVariable = "HANDOFF_LAUNCH_ACTIVITY"

    package var socket: String { runtime + "/daemon.sock" }
    package var lock: String { runtime + "/daemon.lock" }
    /// Apps pass open files to the daemon here.
    package var descriptors: String { runtime + "/files.sock" }
    package var logs: String { state + "/logs" }
    /// 0700.
    package var installs: String { state + "/installs" }
    /// Keys of teams that this user signs apps for. 0700.
    package var teamKeys: String { state + "/teams" }
    /// 0700.
    package var scenes: String { state + "/scenes" }
    /// 0700.
    package var versions: String { state + "/versions" }
    /// SQLite's, with its journal beside it. 0600.
    package var history: String { state + "/history.sqlite" }
    /// 0700.
    package var histories: String { state + "/documents" }
    /// Data that apps of a group share. 0700.
    package var groups: String { state + "/groups" }
    package var configurationFile: String { configuration + "/config.json" }

    /// Must be absolute.
    package init(root: String) {
        let root = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
        self.init(
            state: root + "/state", configuration: root + "/config", apps: root + "/apps",
            containers: root + "/containers", received: root + "/received", runtime: root + "/run", root: root)
    }

    /// `root`, from `--root`, overrides `HANDOFF_ROOT`. `userID`: for when XDG_RUNTIME_DIR is not set.
    package init(root: String? = nil, environment: [String: String], workingDirectory: String, userID: UInt32) {
        if let root = root ?? environment[Self.rootVariable], !root.isEmpty {
            self.init(root: root.hasPrefix("/") ? root : workingDirectory + "/" + root)
            return
        }
        /// As the XDG specification says.
        func directory(_ variable: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let home = directory("HOME") ?? "/"
        let data = (directory("XDG_DATA_HOME") ?? home + "/.local/share") + "/handoff"
        self.init(
            state: (directory("XDG_STATE_HOME") ?? home + "/.local/state") + "/handoff",
            configuration: (directory("XDG_CONFIG_HOME") ?? home + "/.config") + "/handoff",
            apps: data + "/apps", containers: data + "/containers", received: data + "/received",
            runtime: (directory("XDG_RUNTIME_DIR") ?? "/run/user/\(userID)") + "/handoff",
            root: nil)
    }

    /// Unmodified programs report here what they show, while one of them is on. Nil: the session has no such folder.
    package static func programReports(in environment: [String: String]) -> String? {
        environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 + "/handoff-programs" : nil }
    }

    package func at(_ places: DaemonPlaces) -> Locations {
        Locations(
            state: places.state, configuration: places.configuration, apps: places.apps, containers: containers,
            received: received, runtime: runtime, root: root)
    }

    private init(
        state: String, configuration: String, apps: String, containers: String, received: String, runtime: String,
        root: String?
    ) {
        self.state = state
        self.configuration = configuration
        self.apps = apps
        self.containers = containers
        self.received = received
        self.runtime = runtime
        self.root = root
    }
}
