// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffBrowserHost

struct BrowserStatus: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show which browsers have the extension and can start its program.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let home = UserFolders.ofSession
        let program = (try? BrowserInstall.files(nil))?.program ?? "handoff-browser-host"
        let sandboxed = SandboxedBrowser.all(in: home, program: program)
        output.show(
            BrowserReport(
                browsers: KnownBrowser.all.map { ShownBrowser($0, in: home) }, sandboxed: sandboxed, showsAll: false))
        for line in sandboxed.flatMap(\.advice) { output.note(line) }
    }
}

struct BrowserRemove: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Undo handoff browser install. Files that a package has installed stay.")

    @Argument(
        help: ArgumentHelp("\(KnownBrowser.choices); all if not given.", valueName: "browser")
    )
    var browsers: [String] = []

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let home = UserFolders.ofSession
        let named = try KnownBrowser.named(browsers)
        var removed: [String] = []
        for browser in named.isEmpty ? KnownBrowser.all : named {
            do {
                if try HostManifest.remove(of: browser, in: home) { removed.append(browser.id) }
            } catch {
                throw CommandFailure(error, ofManifest: browser.manifest(in: home), "removed")
            }
        }
        output.show(ShownBrowserRemoval(removed: removed))
        for browser in named.isEmpty ? KnownBrowser.all : named {
            let word = HostManifest.find(for: browser, in: home)
            if word.isShared { output.note("\(browser.name) still has the file for all users, \(word.file)") }
        }
    }
}

private struct ShownBrowserRemoval: Renderable {
    let removed: [String]

    func text(_ terminal: Terminal) -> String {
        removed.isEmpty ? "there was nothing to remove" : "removed from \(removed.joined(separator: ", "))"
    }
}
