// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HandoffBrowserHost

struct ShownBrowser: Listed {
    static let columns: [Table.Column] = ["BROWSER", "STATE", "FILE", "EXTENSION"]

    let browser: String
    let name: String
    let found: Bool
    let present: Bool
    let state: String
    let shared: Bool
    let manifest: String
    let program: String?
    let problem: String?
    let sharedExtension: SharedExtension?

    init(_ browser: KnownBrowser, in home: UserFolders) {
        self.browser = browser.id
        name = browser.name
        found = browser.hasProfile(in: home)
        present = browser.isInstalled(in: home)
        sharedExtension = SharedExtension(of: browser, in: home)
        let word = HostManifest.find(for: browser, in: home)
        (manifest, shared) = (word.file, word.isShared)
        switch word.state {
        case .missing: (state, program, problem) = ("missing", nil, nil)
        case .installed(let path): (state, program, problem) = ("installed", path, nil)
        case .broken(let why): (state, program, problem) = ("broken", nil, why)
        }
    }

    private var words: String {
        switch state {
        case "broken": "broken: \(problem ?? "")"
        case _ where !present: "not on this machine"
        case "missing": found ? "not installed" : "no profile"
        default: shared ? "installed for all users" : state
        }
    }

    var cells: [String] { [name, words, manifest, sharedExtension?.words ?? "not installed"] }
}

extension SharedExtension {
    fileprivate var words: String { problem.map { "broken: \($0)" } ?? "for all users" }
}

/// The command changes nothing in a sandbox.
struct SandboxedBrowser: Encodable {
    let name: String
    let sandbox: String
    let id: String
    /// Lines that begin with two blanks are commands.
    let advice: [String]

    static func all(in home: UserFolders, program: String) -> [SandboxedBrowser] {
        all(of: KnownBrowser.all, in: home, program: program)
    }

    static func all(of browsers: [KnownBrowser], in home: UserFolders, program: String) -> [SandboxedBrowser] {
        browsers.flatMap { browser in
            [flatpak(browser, in: home, program: program), snap(browser, in: home)].compactMap { $0 }
        }
    }

    private static func flatpak(
        _ browser: KnownBrowser, in home: UserFolders, program: String
    ) -> SandboxedBrowser? {
        guard let id = browser.flatpak, let folder = browser.flatpakFolder(in: home) else { return nil }
        let copy = folder + "/data/handoff-browser-host"
        let inside =
            switch browser.family {
            // As seen inside the sandbox.
            case .chromium: UserFolders(environment: ["HOME": folder, "XDG_CONFIG_HOME": folder + "/config"])
            case .firefox: UserFolders(environment: ["HOME": folder])
            }
        let manifest = browser.manifest(in: inside)
        let word = HostManifest.find(for: browser, in: home)
        let outside = word.suffices(for: program) ? word.file : browser.manifest(in: home)
        return SandboxedBrowser(
            name: browser.name, sandbox: "flatpak", id: id,
            advice: [
                "The Flatpak of \(browser.name) starts no programs outside its sandbox. It needs a copy of the host "
                    + "inside, and access to the daemon's socket:",
                "  handoff browser install \(browser.id)",
                "  install -D \(program) \(copy)",
                "  mkdir -p \(URL(filePath: manifest).deletingLastPathComponent().path)",
                "  sed 's|\(program)|\(copy)|' \(outside) > \(manifest)",
                "  flatpak override --user --filesystem=xdg-run/handoff \(id)",
            ])
    }

    private static func snap(_ browser: KnownBrowser, in home: UserFolders) -> SandboxedBrowser? {
        guard let snap = browser.snap, browser.snapFolder(in: home) != nil else { return nil }
        let advice =
            switch browser.family {
            case .firefox:
                [
                    "The Snap of Firefox starts programs through the desktop's portal, if there is a portal, and asks you first:",
                    "  handoff browser install firefox",
                ]
            case .chromium:
                [
                    "The Snap of \(browser.name) cannot start programs outside its sandbox; "
                        + "install \(browser.name) from its vendor or from your distribution"
                ]
            }
        return SandboxedBrowser(name: browser.name, sandbox: "snap", id: snap, advice: advice)
    }
}
