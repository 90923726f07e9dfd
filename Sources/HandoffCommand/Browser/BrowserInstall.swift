// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import FoundationEssentials

struct BrowserInstall: Verb {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Register the program that the browser extension needs with your browsers.",
        discussion: """
            Writes one file for each browser, below its own profile folder: it names handoff-browser-host, and the one \
            extension that may start it. Without a name, for every browser that has a profile here. A browser for \
            which a package has installed that file for all users is left as it is. Browsers in a sandbox need more, \
            which is explained but not done.
            """)

    @Argument(help: ArgumentHelp("chromium, chrome, brave, edge, vivaldi or firefox.", valueName: "browser"))
    var browsers: [String] = []

    @Flag(help: "For every supported browser, even those that have no profile yet.")
    var all = false

    @Option(
        help: ArgumentHelp("The program's path, if it is not next to this one.", valueName: "file"), completion: .file()
    )
    var host: String?

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let home = UserFolders(environment: ProcessInfo.processInfo.environment)
        let named = try KnownBrowser.named(browsers)
        if all, !named.isEmpty { throw CommandFailure.usage("--all takes no browser's name") }
        let program = try Self.program(host)
        let chosen = named.isEmpty && !all ? Self.found(in: home) : all ? KnownBrowser.all : named
        let sandboxed = SandboxedBrowser.all(in: home, program: program)
        guard !chosen.isEmpty || !sandboxed.isEmpty else {
            throw CommandFailure(
                .failed, code: "noBrowser", "no browser profile found",
                advice: "start yours once, or name it: handoff browser install firefox")
        }
        for browser in chosen where !HostManifest.find(for: browser, in: home).suffices(for: program) {
            try HostManifest(for: browser.family, program: program).write(for: browser, in: home)
        }
        output.show(
            BrowserReport(
                browsers: chosen.map { ShownBrowser($0, in: home) }, sandboxed: sandboxed,
                extensionFolder: Self.extensionFolder(beside: program)))
        for line in sandboxed.flatMap(\.advice) { output.note(line) }
        let lacking = chosen.filter { browser in
            SharedExtension(of: browser, in: home).map { $0.problem != nil } ?? true
        }
        if !lacking.isEmpty { output.note(Self.nextStep(lacking, Self.extensionFolder(beside: program))) }
    }

    private static func found(in home: UserFolders) -> [KnownBrowser] {
        KnownBrowser.all.filter { FileManager.default.fileExists(atPath: $0.profile(in: home)) }
    }

    private static func nextStep(_ browsers: [KnownBrowser], _ folder: String?) -> String {
        let names = browsers.map(\.name).joined(separator: ", ")
        return "Now add the extension to \(names)\(folder.map { ", from \($0)" } ?? ""): "
            + "chrome://extensions, \"Load unpacked\"; in Firefox about:debugging, \"Load Temporary Add-on\""
    }

    /// Absolute, and there.
    static func program(_ named: String?) throws(CommandFailure) -> String {
        let path: String
        if let named {
            path = named.hasPrefix("/") ? named : FileManager.default.currentDirectoryPath + "/" + named
        } else {
            let here = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
            path = URL(filePath: here).deletingLastPathComponent().path + "/handoff-browser-host"
        }
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder,
            FileManager.default.isExecutableFile(atPath: path)
        else {
            throw CommandFailure(
                .failed, code: "noHost", "\(path) is not a program",
                advice: "install it with: make install    or give its path: --host FILE")
        }
        return path
    }

    /// As `make install` leaves it.
    private static func extensionFolder(beside program: String) -> String? {
        let folder =
            URL(filePath: program).deletingLastPathComponent().deletingLastPathComponent().path
            + "/share/handoff/extension"
        return FileManager.default.fileExists(atPath: folder + "/manifest.json") ? folder : nil
    }
}

struct BrowserReport: Renderable {
    let browsers: [ShownBrowser]
    let sandboxed: [SandboxedBrowser]
    var extensionFolder: String?

    enum CodingKeys: String, CodingKey {
        case browsers, sandboxed
        case extensionFolder = "extension"
    }

    func text(_ terminal: Terminal) -> String { Table(browsers).text(terminal) }
}
