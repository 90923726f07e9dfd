// SPDX-License-Identifier: Apache-2.0

internal import HandoffBrowserHost
package import HandoffStrings
internal import HandoffSystem
internal import HandoffWire

/// Files are read and written on a thread, because a home folder may be slow.
@MainActor
package final class Browsers {
    var changed: @MainActor () -> Void = {}
    /// Nil: not read yet.
    private(set) var found: [FoundBrowser]?
    private let folders: @Sendable () -> UserFolders
    private let files: BrowserFiles
    private let hop: @Sendable (@escaping @Sendable () -> Void) -> Void
    private var isLooking = false
    /// Threads would pile up while the home folder does not respond.
    private var isWriting = false

    /// `hop` runs closures on the main thread.
    init(
        folders: @escaping @Sendable () -> UserFolders = { .ofSession }, files: BrowserFiles = .besideThisProgram,
        hop: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.folders = folders
        self.files = files
        self.hop = hop
    }

    /// Without a thread, the list stays as it is.
    func look() {
        guard !isLooking else { return }
        isLooking = DetachedThread.begin { [folders, files, hop, weak self] in
            let found = FoundBrowser.all(in: folders(), files)
            hop { MainActor.assumeIsolated { self?.read(found) } }
        }
    }

    private func read(_ found: [FoundBrowser]) {
        isLooking = false
        guard found != self.found else { return }
        self.found = found
        changed()
    }

    /// Lets the browser start Handoff's program.
    func register(_ id: String, _ answer: @escaping @MainActor (RegistrationProblem?) -> Void) {
        guard !isWriting else { return answer(.failure(Failure(.limitReached, "another browser is being set up"))) }
        isWriting = DetachedThread.begin { [folders, files, hop, weak self] in
            let problem = FoundBrowser.register(id, in: folders(), files)
            hop {
                MainActor.assumeIsolated {
                    self?.isWriting = false
                    answer(problem)
                    self?.look()
                }
            }
        }
        if !isWriting { answer(.failure(Failure(.limitReached, "no thread could be started"))) }
    }
}

enum RegistrationProblem: Hashable, Sendable {
    /// With the path of the missing program.
    case noProgram(String)
    /// Its reason is English.
    case failure(Failure)
}

/// From its files, which do not show whether the user has added the extension.
struct FoundBrowser: Hashable, Sendable {
    var id: String
    var name: String
    /// Names in the desktop's theme; the first that it has. Not empty.
    var icons: [String]
    var steps: BrowserSteps
    /// It may start Handoff's program.
    var isRegistered = false
    /// It loads the extension for every user.
    var hasExtension = false
    var isSandboxed = false

    static func all(in home: UserFolders, _ files: BrowserFiles) -> [FoundBrowser] {
        let folder = files.extensionFolder
        return KnownBrowser.all.flatMap { browser -> [FoundBrowser] in
            var found: [FoundBrowser] = []
            let steps = BrowserSteps(browser.family, extensionFolder: folder)
            if browser.isInstalled(in: home) {
                var one = FoundBrowser(
                    id: browser.id, name: browser.name,
                    icons: browser.installedPrograms(in: home) + [browser.id], steps: steps)
                if case .installed = HostManifest.find(for: browser, in: home).state { one.isRegistered = true }
                one.hasExtension = SharedExtension.isUsable(by: browser, in: home)
                found.append(one)
            }
            if browser.flatpakFolder(in: home) != nil || browser.snapFolder(in: home) != nil {
                found.append(
                    FoundBrowser(
                        id: browser.id + "-sandboxed", name: browser.name,
                        icons: [browser.flatpak, browser.id].compactMap(\.self),
                        steps: steps, isSandboxed: true))
            }
            return found
        }
    }

    static func register(_ id: String, in home: UserFolders, _ files: BrowserFiles) -> RegistrationProblem? {
        guard let browser = KnownBrowser.all.first(where: { $0.id == id }) else {
            return .failure(Failure(.malformed, "\(id) is not a browser"))
        }
        guard files.hasProgram else { return .noProgram(files.program) }
        do {
            try HostManifest(for: browser.family, program: files.program).write(for: browser, in: home)
            return nil
        } catch {
            return .failure(Failure(.stateNotWritable, error.description))
        }
    }
}

/// The extension is not in a store.
package struct BrowserSteps: Hashable, Sendable {
    /// To be typed there: browsers open it from nowhere else.
    package let address: String
    /// The folder or file to choose there. Nil: the extension is not on this device.
    package let place: String?
    /// The browser removes the extension when it closes.
    package let isUntilItCloses: Bool

    init(_ family: KnownBrowser.Family, extensionFolder: String?) {
        switch family {
        case .chromium:
            (address, place, isUntilItCloses) = ("chrome://extensions", extensionFolder, false)
        case .firefox:
            address = "about:debugging#/runtime/this-firefox"
            (place, isUntilItCloses) = (extensionFolder.map { $0 + "/manifest.json" }, true)
        }
    }

    package func sentence(_ strings: LocalizedStrings) -> String {
        guard place != nil else { return strings[.extensionMissing] }
        return strings[isUntilItCloses ? .extensionInFirefox : .extensionInChromium]
    }
}

package struct BrowserLine: Hashable, Sendable {
    package enum Deed: Hashable, Sendable {
        /// To be registered first, then as `addExtension`.
        case setUp
        case addExtension
    }

    package var id: String
    package var name: String
    package var icons: [String]
    package var details: String
    package var isConnected: Bool
    /// Nil: nothing can be done for it here.
    package var deed: Deed?
    package var steps: BrowserSteps?

    /// `connected`: the names by which their extensions have said hello.
    static func lines(
        _ found: [FoundBrowser], connected: [DisplayText], _ strings: LocalizedStrings
    ) -> [BrowserLine] {
        var strange = connected.map(\.text)
        var lines = found.map { browser -> BrowserLine in
            let isConnected = connected.contains { $0.text == browser.name }
            strange.removeAll { $0 == browser.name }
            let (details, deed): (String, Deed?) =
                switch browser {
                case _ where isConnected: (strings[.browserConnected], nil)
                case _ where browser.isSandboxed:
                    (strings(.browserSandboxed, "handoff browser status"), nil)
                case _ where browser.isRegistered && browser.hasExtension: (strings[.browserIdle], nil)
                case _ where browser.isRegistered: (strings[.browserUnheard], .addExtension)
                default: (strings[.browserNotSetUp], .setUp)
                }
            return BrowserLine(
                id: browser.id, name: browser.name, icons: browser.icons, details: details, isConnected: isConnected,
                deed: deed, steps: browser.hasExtension ? nil : browser.steps)
        }
        lines += strange.map {
            BrowserLine(
                id: "connected " + $0, name: $0, icons: ["web-browser"], details: strings[.browserConnected],
                isConnected: true)
        }
        return lines
    }
}
