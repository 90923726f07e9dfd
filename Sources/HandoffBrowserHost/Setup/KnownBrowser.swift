// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HandoffSystem

package struct KnownBrowser: Sendable {
    package enum Family: Sendable {
        case chromium
        case firefox
    }

    package let id: String
    package let name: String
    package let family: Family
    /// Relative to the user's home; `Configuration/` means the configuration folder.
    private let profiles: [String]
    /// For native messaging manifests, in the same notation.
    private let hosts: String
    private let programs: [String]
    /// In a sandbox; nil: not published there.
    package let flatpak: String?
    package let snap: String?
    private let shared: SharedPlaces

    /// For all users.
    private struct SharedPlaces: Sendable {
        /// For native messaging manifests, by the browser's documentation.
        var manifests: [String] = []
        /// Loads our extension, if its distribution has such a folder.
        var `extension`: String?

        static let chrome = SharedPlaces(manifests: ["/etc/opt/chrome/native-messaging-hosts"])
        static let edge = SharedPlaces(manifests: ["/etc/opt/edge/native-messaging-hosts"])
        static let mozilla = SharedPlaces(
            manifests: ["lib", "lib64", "share"].map { "/usr/\($0)/mozilla/native-messaging-hosts" })
    }

    package static let all = [
        chromium(
            "chromium", "Chromium", "chromium", ["chromium", "chromium-browser", "ungoogled-chromium"],
            "org.chromium.Chromium", snap: "chromium",
            shared: SharedPlaces(
                manifests: ["/etc/chromium/native-messaging-hosts"],
                extension: "/usr/share/chromium/extensions/handoff")),
        chromium(
            "chrome", "Google Chrome", "google-chrome", ["google-chrome", "google-chrome-stable"], "com.google.Chrome",
            shared: .chrome),
        chromium("chrome-beta", "Google Chrome Beta", "google-chrome-beta", ["google-chrome-beta"], shared: .chrome),
        chromium(
            "chrome-unstable", "Google Chrome Unstable", "google-chrome-unstable", ["google-chrome-unstable"],
            shared: .chrome),
        chromium(
            "brave", "Brave", "BraveSoftware/Brave-Browser", ["brave-browser", "brave", "brave-browser-stable"],
            "com.brave.Browser", snap: "brave"),
        chromium("brave-beta", "Brave Beta", "BraveSoftware/Brave-Browser-Beta", ["brave-browser-beta"]),
        chromium("brave-nightly", "Brave Nightly", "BraveSoftware/Brave-Browser-Nightly", ["brave-browser-nightly"]),
        chromium(
            "edge", "Microsoft Edge", "microsoft-edge", ["microsoft-edge", "microsoft-edge-stable"],
            "com.microsoft.Edge", shared: .edge),
        chromium("edge-beta", "Microsoft Edge Beta", "microsoft-edge-beta", ["microsoft-edge-beta"], shared: .edge),
        chromium("edge-dev", "Microsoft Edge Dev", "microsoft-edge-dev", ["microsoft-edge-dev"], shared: .edge),
        chromium(
            "vivaldi", "Vivaldi", "vivaldi", ["vivaldi", "vivaldi-stable"], "com.vivaldi.Vivaldi", snap: "vivaldi"),
        chromium("vivaldi-snapshot", "Vivaldi Snapshot", "vivaldi-snapshot", ["vivaldi-snapshot"]),
        KnownBrowser(
            // Since version 147, profiles are in the configuration folder, unless older ones exist. Debian's builds
            // read native messaging manifests only from the older place.
            id: "firefox", name: "Firefox", family: .firefox,
            profiles: [".mozilla/firefox", "Configuration/mozilla/firefox"], hosts: ".mozilla",
            programs: ["firefox", "firefox-esr"], flatpak: "org.mozilla.firefox", snap: "firefox",
            shared: SharedPlaces(
                manifests: SharedPlaces.mozilla.manifests,
                // Firefox's own identifier, then the extension's.
                extension: "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/"
                    + HostManifest.firefoxExtension)),
        firefox("librewolf", "LibreWolf", ".librewolf", hosts: ".librewolf", "io.gitlab.librewolf-community"),
        firefox("waterfox", "Waterfox", ".waterfox", hosts: ".waterfox", "net.waterfox.waterfox"),
        firefox("floorp", "Floorp", ".floorp", hosts: ".mozilla", "one.ablaze.floorp"),
        firefox("zen", "Zen", ".zen", hosts: ".mozilla", "app.zen_browser.zen"),
    ]

    private static func chromium(
        _ id: String, _ name: String, _ profile: String, _ programs: [String], _ flatpak: String? = nil,
        snap: String? = nil, shared: SharedPlaces = SharedPlaces()
    ) -> KnownBrowser {
        let folder = Self.configuration + profile
        return KnownBrowser(
            id: id, name: name, family: .chromium, profiles: [folder], hosts: folder, programs: programs,
            flatpak: flatpak, snap: snap, shared: shared)
    }

    private static func firefox(
        _ id: String, _ name: String, _ profile: String, hosts: String, _ flatpak: String
    ) -> KnownBrowser {
        KnownBrowser(
            id: id, name: name, family: .firefox, profiles: [profile], hosts: hosts, programs: [id], flatpak: flatpak,
            snap: nil, shared: .mozilla)
    }

    private static let configuration = "Configuration/"

    private static func path(_ folder: String, in home: UserFolders) -> String {
        folder.hasPrefix(configuration)
            ? home.configuration + "/" + folder.dropFirst(configuration.count) : home.home + "/" + folder
    }

    package func hasProfile(in home: UserFolders) -> Bool {
        profiles.contains { FileManager.default.fileExists(atPath: Self.path($0, in: home)) }
    }

    /// Those that are here, outside a sandbox.
    package func installedPrograms(in home: UserFolders) -> [String] {
        programs.filter { home.programs.path(of: $0) != nil }
    }

    /// The Flatpak's own. Nil if it was never started.
    package func flatpakFolder(in home: UserFolders) -> String? {
        flatpak.map { home.home + "/.var/app/" + $0 }.flatMap(Self.existing)
    }

    package func snapFolder(in home: UserFolders) -> String? {
        snap.map { home.home + "/snap/" + $0 }.flatMap(Self.existing)
    }

    private static func existing(_ folder: String) -> String? {
        FileManager.default.fileExists(atPath: folder) ? folder : nil
    }

    /// Outside a sandbox.
    package func isInstalled(in home: UserFolders) -> Bool {
        hasProfile(in: home) || !installedPrograms(in: home).isEmpty
    }

    /// The user's own, which has precedence.
    package func manifest(in home: UserFolders) -> String {
        let folder =
            switch family {
            case .chromium: "NativeMessagingHosts"
            case .firefox: "native-messaging-hosts"
            }
        return "\(Self.path(hosts, in: home))/\(folder)/\(HostManifest.name).json"
    }

    package func sharedManifests(in home: UserFolders) -> [String] {
        shared.manifests.map { home.system + $0 + "/" + HostManifest.name + ".json" }
    }

    package func sharedExtension(in home: UserFolders) -> String? { shared.extension.map { home.system + $0 } }
}

package struct UserFolders: Sendable {
    package let home: String
    package let configuration: String
    private let searchPath: String
    /// Prefix of all users' paths; only set in tests.
    package var system = ""

    package init(environment: [String: String]) {
        /// Ignores relative paths, as the XDG specification says.
        func directory(_ variable: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        home = directory("HOME") ?? "/"
        configuration = directory("XDG_CONFIG_HOME") ?? home + "/.config"
        searchPath = environment["PATH"] ?? DesktopOpener.defaultPath
    }

    var programs: ProgramFinder {
        ProgramFinder(path: searchPath.split(separator: ":").map { system + $0 }.joined(separator: ":"))
    }

    /// For browsers started by the desktop, whose environment may differ.
    package static var ofSession: UserFolders {
        let shell = ProcessInfo.processInfo.environment
        let session = PresentSession(environment: shell).read().inherited
        // A shell with a different HOME asks for that home.
        return UserFolders(environment: session.isEmpty || session["HOME"] != shell["HOME"] ? shell : session)
    }
}
