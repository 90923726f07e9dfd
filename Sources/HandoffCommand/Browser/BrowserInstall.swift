// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import FoundationEssentials

struct BrowserInstall: Verb {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Register the browser extension's program with your browsers.",
        discussion: """
            Writes one file into the profile folder of each browser. It names handoff-browser-host and the only extension \
            that may start it. Without a name, covers every browser that has a profile here. A browser for which a \
            package has installed that file for all users is left unchanged. Browsers in a sandbox need more steps, which \
            are printed but not carried out.
            """)

    @Argument(help: ArgumentHelp("\(KnownBrowser.choices).", valueName: "browser"))
    var browsers: [String] = []

    @Flag(help: "Cover every supported browser, even those without a profile.")
    var all = false

    @Option(
        help: ArgumentHelp("The program's path, if it is not next to this one.", valueName: "file"), completion: .file()
    )
    var host: String?

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let home = UserFolders.ofSession
        let named = try KnownBrowser.named(browsers)
        if all, !named.isEmpty { throw CommandFailure.usage("--all and the name of a browser exclude each other") }
        let program = try Self.program(host)
        let chosen = named.isEmpty && !all ? Self.found(in: home) : all ? KnownBrowser.all : named
        let sandboxed = SandboxedBrowser.all(of: named.isEmpty ? KnownBrowser.all : named, in: home, program: program)
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
        let shell = UserFolders(environment: ProcessInfo.processInfo.environment)
        if shell.configuration != home.configuration {
            output.remark(
                "this is for browsers that the desktop starts, which read \(home.configuration); from this shell a browser reads "
                    + shell.configuration)
        }
        for line in sandboxed.flatMap(\.advice) { output.note(line) }
        let lacking = chosen.filter { browser in
            SharedExtension(of: browser, in: home).map { $0.problem != nil } ?? true
        }
        if !lacking.isEmpty { output.note(Self.nextStep(lacking, Self.extensionFolder(beside: program))) }
    }

    private static func found(in home: UserFolders) -> [KnownBrowser] {
        KnownBrowser.all.filter { $0.hasProfile(in: home) }
    }

    static func nextStep(_ browsers: [KnownBrowser], _ folder: String?) -> String {
        let steps: [(family: KnownBrowser.Family, step: String, file: String)] = [
            (.chromium, "in chrome://extensions, with \"Load unpacked\", choose", ""),
            (.firefox, "in about:debugging, with \"Load Temporary Add-on\", choose", "/manifest.json"),
        ]
        var lines = steps.compactMap { family, step, file -> String? in
            let names = browsers.filter { $0.family == family }.map(\.name).joined(separator: ", ")
            let place = (folder ?? "PREFIX/share/handoff/extension") + file
            return names.isEmpty ? nil : "Now add the extension to \(names): \(step) \(place)"
        }
        if folder == nil, !lines.isEmpty { lines.append("make install PREFIX=... puts the extension there") }
        return lines.joined(separator: "\n")
    }

    /// The absolute path of an existing file.
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

    /// Where `make install` puts it, or in the checkout in which the program was built.
    static func extensionFolder(beside program: String) -> String? {
        var folder = URL(filePath: program).deletingLastPathComponent()
        var places = [folder.deletingLastPathComponent().path + "/share/handoff/extension"]
        while folder.path.count > 1 {
            if folder.lastPathComponent == ".build" {
                places.append(folder.deletingLastPathComponent().path + "/Extension")
            }
            folder = folder.deletingLastPathComponent()
        }
        return places.first { FileManager.default.fileExists(atPath: $0 + "/manifest.json") }
    }
}

struct BrowserReport: Renderable {
    let browsers: [ShownBrowser]
    let sandboxed: [SandboxedBrowser]
    var extensionFolder: String?
    var showsAll = true

    enum CodingKeys: String, CodingKey {
        case browsers, sandboxed
        case extensionFolder = "extension"
    }

    func text(_ terminal: Terminal) -> String {
        let shown = showsAll ? browsers : browsers.filter(\.present)
        return shown.isEmpty
            ? "no supported browser is on this machine outside of a sandbox" : Table(shown).text(terminal)
    }
}
