// SPDX-License-Identifier: Apache-2.0

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
    /// Below the user's configuration folder, for Firefox below the home folder.
    private let profile: String
    /// What it is called in a sandbox: with Flatpak, with Snap.
    let flatpak: String
    let snap: String?
    private let shared: SharedPlaces

    /// Where it looks besides, for what is there for all users of the machine.
    private struct SharedPlaces: Sendable {
        /// Folders with the words that let it start programs, as its makers document them.
        var manifests: [String] = []
        /// What it loads as our extension, where its distribution has such a place.
        var `extension`: String?
    }

    static let all = [
        KnownBrowser(
            "chromium", "Chromium", .chromium, "chromium", "org.chromium.Chromium", snap: "chromium",
            SharedPlaces(
                manifests: ["/etc/chromium/native-messaging-hosts"],
                extension: "/usr/share/chromium/extensions/handoff")),
        KnownBrowser(
            "chrome", "Google Chrome", .chromium, "google-chrome", "com.google.Chrome",
            SharedPlaces(manifests: ["/etc/opt/chrome/native-messaging-hosts"])),
        KnownBrowser("brave", "Brave", .chromium, "BraveSoftware/Brave-Browser", "com.brave.Browser", snap: "brave"),
        KnownBrowser(
            "edge", "Microsoft Edge", .chromium, "microsoft-edge", "com.microsoft.Edge",
            SharedPlaces(manifests: ["/etc/opt/edge/native-messaging-hosts"])),
        KnownBrowser("vivaldi", "Vivaldi", .chromium, "vivaldi", "com.vivaldi.Vivaldi", snap: "vivaldi"),
        KnownBrowser(
            "firefox", "Firefox", .firefox, ".mozilla", "org.mozilla.firefox", snap: "firefox",
            SharedPlaces(
                manifests: ["lib", "lib64", "share"].map { "/usr/\($0)/mozilla/native-messaging-hosts" },
                // Firefox's own identifier, and below it the extension's.
                extension: "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/"
                    + HostManifest.firefoxExtension)),
    ]

    private init(
        _ id: String, _ name: String, _ family: Family, _ profile: String, _ flatpak: String, snap: String? = nil,
        _ shared: SharedPlaces = SharedPlaces()
    ) {
        self.id = id
        self.name = name
        self.family = family
        self.profile = profile
        self.flatpak = flatpak
        self.snap = snap
        self.shared = shared
    }

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

    /// Its user has started it at least once if this is there.
    func profile(in home: UserFolders) -> String {
        switch family {
        case .chromium: home.configuration + "/" + profile
        case .firefox: home.home + "/" + profile
        }
    }

    /// Where it looks for programs, first of all.
    func manifest(in home: UserFolders) -> String {
        let folder =
            switch family {
            case .chromium: "NativeMessagingHosts"
            case .firefox: "native-messaging-hosts"
            }
        return profile(in: home) + "/" + folder + "/" + HostManifest.name + ".json"
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
    /// What goes before the places of all users: nothing, but in tests.
    var system = ""

    init(environment: [String: String]) {
        /// The XDG specification: a relative path is to be ignored.
        func directory(_ variable: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        home = directory("HOME") ?? "/"
        configuration = directory("XDG_CONFIG_HOME") ?? home + "/.config"
    }
}
