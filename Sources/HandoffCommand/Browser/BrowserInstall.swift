// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import FoundationEssentials
internal import HandoffBrowserHost
internal import HandoffSystem

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
        let files = try Self.files(host)
        let program = files.program
        let chosen = named.isEmpty && !all ? Self.found(in: home) : all ? KnownBrowser.all : named
        let sandboxed = SandboxedBrowser.all(of: named.isEmpty ? KnownBrowser.all : named, in: home, program: program)
        guard !chosen.isEmpty || !sandboxed.isEmpty else {
            throw CommandFailure(
                .failed, code: "noBrowser", "no browser profile found",
                advice: "start yours once, or name it: handoff browser install firefox")
        }
        for browser in chosen where !HostManifest.find(for: browser, in: home).suffices(for: program) {
            do {
                try HostManifest(for: browser.family, program: program).write(for: browser, in: home)
            } catch {
                throw CommandFailure(error, ofManifest: browser.manifest(in: home), "written")
            }
        }
        output.show(
            BrowserReport(
                browsers: chosen.map { ShownBrowser($0, in: home) }, sandboxed: sandboxed,
                extensionFolder: files.extensionFolder))
        let shell = UserFolders(environment: ProcessInfo.processInfo.environment)
        if shell.configuration != home.configuration {
            output.remark(
                "this is for browsers that the desktop starts, which read \(home.configuration); from this shell a browser reads "
                    + shell.configuration)
        }
        for line in sandboxed.flatMap(\.advice) { output.note(line) }
        let lacking = chosen.filter { !SharedExtension.isUsable(by: $0, in: home) }
        if !lacking.isEmpty { output.note(Self.nextStep(lacking, files.extensionFolder)) }
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

    /// `named`: the path of the program, if it is not next to this one.
    static func files(_ named: String?) throws(CommandFailure) -> BrowserFiles {
        let here = FileManager.default.currentDirectoryPath
        let files =
            named.map { BrowserFiles(program: $0.hasPrefix("/") ? $0 : here + "/" + $0) } ?? .besideThisProgram
        guard files.hasProgram else {
            throw CommandFailure(
                .failed, code: "noHost", "\(files.program) is not a program",
                advice: "install it with: make install    or give its path: --host FILE")
        }
        return files
    }
}

extension KnownBrowser {
    static let choices = all.dropLast().map(\.id).joined(separator: ", ") + " or " + all.last!.id

    static func named(_ ids: [String]) throws(CommandFailure) -> [KnownBrowser] {
        var found: [KnownBrowser] = []
        for id in ids {
            guard let browser = all.first(where: { $0.id == id.lowercased() }) else {
                throw .usage("\(id) is not one of \(all.map(\.id).joined(separator: ", "))")
            }
            found.append(browser)
        }
        return found
    }
}

extension CommandFailure {
    init(_ error: SystemError, ofManifest path: String, _ deed: String) {
        self.init(
            .failed, code: "notWritable", error.explanation ?? "\(path) cannot be \(deed): \(error.reason)")
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
