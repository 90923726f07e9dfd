// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HandoffSystem

/// A browser that starts a program for its extension, and where it looks for the word of it.
struct KnownBrowser: Sendable {
    enum Family: Sendable {
        case chromium
        case firefox
    }

    /// As it is typed.
    let id: String
    let name: String
    let family: Family
    /// Folders with profiles, from the user's home on; one of `Configuration/` is below the configuration folder.
    private let profiles: [String]
    /// The folder in which it looks for programs that its extensions may start, in the same way.
    private let hosts: String
    /// Its commands.
    private let programs: [String]
    /// Its identifiers in a sandbox; nil: it is not published there.
    let flatpak: String?
    let snap: String?
    private let shared: SharedPlaces

    /// Where it looks besides, for what is there for all users of the machine.
    private struct SharedPlaces: Sendable {
        /// Folders with the words that let it start programs, as its makers document them.
        var manifests: [String] = []
        /// What it loads as our extension, where its distribution has such a place.
        var `extension`: String?

        static let chrome = SharedPlaces(manifests: ["/etc/opt/chrome/native-messaging-hosts"])
        static let edge = SharedPlaces(manifests: ["/etc/opt/edge/native-messaging-hosts"])
        static let mozilla = SharedPlaces(
            manifests: ["lib", "lib64", "share"].map { "/usr/\($0)/mozilla/native-messaging-hosts" })
    }

    static let all = [
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
            // Since version 147 profiles are in the configuration folder, unless there are older ones. Debian's builds read
            // which programs may be started from the older place alone.
            id: "firefox", name: "Firefox", family: .firefox,
            profiles: [".mozilla/firefox", "Configuration/mozilla/firefox"], hosts: ".mozilla",
            programs: ["firefox", "firefox-esr"], flatpak: "org.mozilla.firefox", snap: "firefox",
            shared: SharedPlaces(
                manifests: SharedPlaces.mozilla.manifests,
                // Firefox's own identifier, and below it the extension's.
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

    /// One that others build from Firefox.
    private static func firefox(
        _ id: String, _ name: String, _ profile: String, hosts: String, _ flatpak: String
    ) -> KnownBrowser {
        KnownBrowser(
            id: id, name: name, family: .firefox, profiles: [profile], hosts: hosts, programs: [id], flatpak: flatpak,
            snap: nil, shared: .mozilla)
    }

    /// As a help text lists them.
    static let choices = all.dropLast().map(\.id).joined(separator: ", ") + " or " + all.last!.id

    static func named(_ ids: [String]) throws(CommandFailure) -> [KnownBrowser] {
        var found: [KnownBrowser] = []
        for id in ids {
            guard let browser = all.first(where: { $0.id == id.lowercased() }) else {
                throw .usage("\(id) is none of \(all.map(\.id).joined(separator: ", "))")
            }
            found.append(browser)
        }
        return found
    }

    private static let configuration = "Configuration/"

    private static func path(_ folder: String, in home: UserFolders) -> String {
        folder.hasPrefix(configuration)
            ? home.configuration + "/" + folder.dropFirst(configuration.count) : home.home + "/" + folder
    }

    /// Its user has started it at least once.
    func hasProfile(in home: UserFolders) -> Bool {
        profiles.contains { FileManager.default.fileExists(atPath: Self.path($0, in: home)) }
    }

    /// It is on this machine, outside of a sandbox.
    func isInstalled(in home: UserFolders) -> Bool {
        hasProfile(in: home) || programs.contains { home.programs.path(of: $0) != nil }
    }

    /// Where it looks for programs, first of all.
    func manifest(in home: UserFolders) -> String {
        let folder =
            switch family {
            case .chromium: "NativeMessagingHosts"
            case .firefox: "native-messaging-hosts"
            }
        return "\(Self.path(hosts, in: home))/\(folder)/\(HostManifest.name).json"
    }

    /// Where it looks after that.
    func sharedManifests(in home: UserFolders) -> [String] {
        shared.manifests.map { home.system + $0 + "/" + HostManifest.name + ".json" }
    }

    /// Nil where its distribution has no place for extensions of all users.
    func sharedExtension(in home: UserFolders) -> String? { shared.extension.map { home.system + $0 } }
}

/// Where this user's browsers keep what is theirs.
struct UserFolders {
    let home: String
    let configuration: String
    private let searchPath: String
    /// What goes before the places of all users: nothing, but in tests.
    var system = ""

    init(environment: [String: String]) {
        /// The XDG specification: a relative path is to be ignored.
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

    /// For the browsers that the desktop starts, whose environment may differ from this shell's.
    static var ofSession: UserFolders {
        let shell = ProcessInfo.processInfo.environment
        let session = PresentSession(environment: shell).read().inherited
        // In a shell with another home, that home is meant.
        return UserFolders(environment: session.isEmpty || session["HOME"] != shell["HOME"] ? shell : session)
    }
}
