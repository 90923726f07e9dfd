// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import TestPrograms
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct OpeningTests {
    private static let manifest: ApplicationManifest = {
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLName</key><string>Notes</string>
            <key>CFBundleURLSchemes</key><array><string>Notes</string><string>x-notes</string></array></dict></array>
            <key>UIApplicationShortcutItems</key><array><dict>
            <key>UIApplicationShortcutItemType</key><string>com.example.notes.new</string>
            <key>UIApplicationShortcutItemTitle</key><string>New Note</string>
            <key>UIApplicationShortcutItemUserInfo</key><dict><key>kind</key><string>plain</string></dict>
            </dict></array></dict></plist>
            """
        return try! PropertyListDecoder().decode(ApplicationManifest.self, from: Data(plist.utf8))
    }()

    private func application(_ arguments: [String] = []) throws -> UIApplication {
        let laptop = try Laptop(startingDaemon: false, bundle: "com.example.notes")
        var environment = laptop.center.environment
        environment.launchArguments = arguments
        let application = UIApplication(center: ActivityCenter(environment))
        application.manifest = Self.manifest
        return application
    }

    @Test func argumentsThatAreForTheFrameworkAreFoundAmongOthers() throws {
        let request = LaunchRequest(
            arguments: [
                "--verbose", "notes://7?a=b", "file.txt", "https://example.com", "X-NOTES:8", "/tmp/x", "",
                "--shortcut-item=com.example.notes.new",
            ], manifest: Self.manifest)
        #expect(request.urls.map(\.absoluteString) == ["notes://7?a=b", "X-NOTES:8"])
        #expect(request.shortcutType == "com.example.notes.new")
        let unknown = LaunchRequest(arguments: ["--shortcut-item=other"], manifest: Self.manifest)
        #expect(unknown.shortcutType == nil)
        #expect(unknown.unknownShortcut == "other")
        #expect(LaunchRequest(arguments: ["notes://7"], manifest: ApplicationManifest()).urls.isEmpty)
    }

    // Shows H10.
    @Test func appWithoutScenesReceivesItsURLsAfterItsLaunch() throws {
        let application = try application(["notes://7", "--shortcut-item=com.example.notes.new"])
        let delegate = Notes()
        application.delegate = delegate
        application.finishLaunching()
        #expect(
            delegate.calls == [
                "will notes://7 com.example.notes.new", "did", "open notes://7", "perform New Note plain",
            ])
        application.openIncoming([URL(string: "notes://8")!, URL(string: "notes://9")!])
        #expect(delegate.calls.suffix(2) == ["open notes://8", "open notes://9"])
    }

    @Test func launchThatIsDeclinedBringsNothing() throws {
        let application = try application(["notes://7"])
        let delegate = Notes()
        delegate.accepts = false
        application.delegate = delegate
        application.finishLaunching()
        #expect(delegate.calls == ["will notes://7 -", "did"])
    }

    @Test func appWithScenesHasThemInItsConnectionOptions() throws {
        let application = try application(["notes://7", "--shortcut-item=com.example.notes.new"])
        let delegate = Notes()
        let scene = NotesScene()
        delegate.scene = scene
        application.delegate = delegate
        application.finishLaunching()
        #expect(delegate.calls == ["will notes://7 com.example.notes.new", "did"])
        #expect(scene.calls == ["connect notes://7 New Note"])
        application.openIncoming([URL(string: "notes://8")!])
        var didWork: Bool?
        application.perform(try #require(application.shortcutItems?.first)) { didWork = $0 }
        #expect(scene.calls.suffix(2) == ["open notes://8", "perform New Note"])
        #expect(didWork == true)
    }

    @Test func sceneWithoutHooksLeavesThemToTheApplicationsDelegate() throws {
        let application = try application()
        let delegate = Notes()
        delegate.scene = SilentScene()
        application.delegate = delegate
        application.finishLaunching()
        application.openIncoming([URL(string: "notes://8")!])
        application.perform(UIApplicationShortcutItem(type: "x", localizedTitle: "X"))
        #expect(delegate.calls.suffix(2) == ["open notes://8", "perform X -"])
    }

    // Shows U04.
    @Test func viewsThatDeclareItHaveTheURLBeforeAnyDelegate() throws {
        let application = try application()
        let delegate = Notes()
        application.delegate = delegate
        application.finishLaunching()
        let window = UIWindow()
        var opened: [String] = []
        window.onOpenURL { opened.append($0.absoluteString) }
        application.toolkit.windowBecameMain(window)
        application.openIncoming([URL(string: "notes://8")!])
        #expect(opened == ["notes://8"])
        application.toolkit.windowClosed(window)
        application.openIncoming([URL(string: "notes://9")!])
        #expect(opened == ["notes://8"])
        #expect(delegate.calls.last == "open notes://9")
    }

    // Shows U04.
    @Test func declaredSceneHasTheURLThatTheAppWasStartedWith() throws {
        let application = try application(["notes://7"])
        var opened: [String] = []
        application.sceneDeclarations = [
            HandoffSceneDeclaration("notes") { scene in
                let window = UIWindow(windowScene: scene)
                window.onOpenURL { opened.append($0.absoluteString) }
                return window
            }
        ]
        application.finishLaunching()
        #expect(opened == ["notes://7"])
    }

    @Test func fileThatNoHookTakesIsOpenedAsADocument() async throws {
        let folder = try Folder()
        let url = try folder.file("letter.txt")
        let application = try application()
        let controller = NSDocumentController(documentTypes: [HandoffDocumentType(name: "Letter", extensions: ["txt"])])
        controller.register(forType: "Letter") { _ in Letter() }
        application.documentController = controller
        let delegate = Plain()
        application.delegate = delegate
        application.openIncoming([url, URL(string: "strange:7")!])
        #expect(controller.documents.first?.fileURL == url)
        #expect(controller.documents.count == 1)
    }

    // MARK: Opening URLs in other programs

    @Test func listsOfTheDesktopSayWhichSchemesAreOpened() throws {
        let folder = try Folder()
        _ = try folder.file(
            "mimeapps.list",
            """
            [MIME Cache]
            text/plain=edit.desktop;
            x-scheme-handler/mailto=mail.desktop;
            x-scheme-handler/geo = maps.desktop
            x-scheme-handler/none=;
            [Removed Associations]
            x-scheme-handler/gone=old.desktop;
            [Added Associations]
            x-scheme-handler/Notes=notes.desktop
            """)
        let handlers = SchemeHandlers(
            environment: ["XDG_CONFIG_HOME": folder.url.path, "XDG_CONFIG_DIRS": "/", "XDG_DATA_DIRS": "/nowhere"],
            isSandboxed: false)
        for scheme in ["mailto", "MAILTO", "geo", "notes"] { #expect(handlers.isHandled(scheme), "\(scheme)") }
        for scheme in ["none", "gone", "http", "plain", ""] { #expect(!handlers.isHandled(scheme), "\(scheme)") }
    }

    @Test func listsAreFoundWhereTheDesktopKeepsThem() throws {
        let folder = try Folder()
        let places = [
            "home/.config/mimeapps.list", "data/applications/mimeinfo.cache", "home/.config/kde-mimeapps.list",
        ]
        for (place, scheme) in zip(places, ["one", "two", "three"]) {
            let file = folder.url.appending(path: place)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("[Default Applications]\nx-scheme-handler/\(scheme)=a.desktop\n".utf8).write(to: file)
        }
        let environment = [
            "HOME": folder.url.appending(path: "home").path, "XDG_DATA_DIRS": folder.url.appending(path: "data").path,
            "XDG_CURRENT_DESKTOP": "KDE", "XDG_CONFIG_DIRS": "relative",
        ]
        let handlers = SchemeHandlers(environment: environment, isSandboxed: false)
        for scheme in ["one", "two", "three"] { #expect(handlers.isHandled(scheme)) }
        #expect(!handlers.isHandled("four"))
        let sandboxed = SchemeHandlers(environment: environment, isSandboxed: true)
        #expect(sandboxed.isHandled("https"))
        #expect(!sandboxed.isHandled("one"))
    }

    // Shows L03.
    @Test func defaultProgramIsFoundByListsAndEntries() throws {
        let folder = try Folder()
        func write(_ path: String, _ text: String) throws {
            let file = folder.url.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        func entry(_ path: String, _ lines: String) throws {
            try write(
                path, "[Desktop Entry]\nType=Application\n\(lines)\n[Desktop Action new]\nDBusActivatable=false\n")
        }
        try write(
            "home/.config/mimeapps.list",
            """
            [Default Applications]
            x-scheme-handler/https=gone.desktop;org.example.Hidden.desktop;org.example.Browser.desktop;
            x-scheme-handler/plain=plain.desktop;org.example.Browser.desktop
            x-scheme-handler/nested=org.example-nested.App.desktop
            [Removed Associations]
            x-scheme-handler/geo=org.example.Hidden.desktop;org.example.Other.desktop;
            """)
        try write(
            "data/applications/mimeinfo.cache",
            """
            [MIME Cache]
            x-scheme-handler/geo=org.example.Other.desktop;org.example.Browser.desktop;
            x-scheme-handler/none=gone.desktop;
            """)
        try entry("home/.local/share/applications/org.example.Hidden.desktop", "DBusActivatable=true\nHidden=true")
        try entry("data/applications/org.example.Hidden.desktop", "DBusActivatable=true")
        try entry("data/applications/org.example.Browser.desktop", "DBusActivatable=true")
        try entry("data/applications/org.example.Other.desktop", "DBusActivatable=true")
        try entry("data/applications/plain.desktop", "Exec=plain %u")
        try entry("data/applications/org.example/nested.App.desktop", "DBusActivatable=true")
        let environment = [
            "HOME": folder.url.appending(path: "home").path, "XDG_DATA_DIRS": folder.url.appending(path: "data").path,
            "XDG_CONFIG_DIRS": "relative",
        ]
        let handlers = SchemeHandlers(environment: environment, isSandboxed: false)
        #expect(handlers.busName(for: "https") == "org.example.Browser")
        #expect(handlers.busName(for: "HTTPS") == "org.example.Browser")
        #expect(handlers.busName(for: "nested") == "org.example-nested.App")
        // A default handler that the bus does not start still precedes others.
        #expect(handlers.busName(for: "plain") == nil)
        #expect(handlers.busName(for: "geo") == "org.example.Browser")
        #expect(handlers.busName(for: "none") == nil)
        #expect(SchemeHandlers(environment: environment, isSandboxed: true).busName(for: "https") == nil)
    }

    /// A program that replaces the desktop's.
    private func opener(_ name: String, _ script: String, in folder: Folder) throws -> URLOpener {
        try Program.write("#!/bin/sh\n\(script)\n", to: folder.url.appending(path: name).path)
        return URLOpener(environment: ["PATH": "relative:" + folder.url.path])
    }

    @Test func urlIsHandedToTheDesktopsOpener() async throws {
        let folder = try Folder()
        let output = folder.url.appending(path: "output").path
        let answers = Mailbox<String?>()
        let url = URL(string: "notes://7?a=b%20c&d='e'")!
        try opener("xdg-open", "printf '%s' \"$*\" > \(output)", in: folder).open(url) { answers.post($0) }
        #expect(try await answers.next() == nil)
        #expect(try String(contentsOfFile: output, encoding: .utf8) == url.absoluteString)
        // The first installed one is used.
        try opener("gio", "printf '%s' \"$*\" > \(output)", in: folder).open(url) { answers.post($0) }
        #expect(try await answers.next() == nil)
        #expect(try String(contentsOfFile: output, encoding: .utf8) == "open " + url.absoluteString)
    }

    @Test func urlThatNothingHandlesIsAnErrorWithAReason() async throws {
        let folder = try Folder()
        let answers = Mailbox<String?>()
        let url = URL(string: "strange:7")!
        URLOpener(environment: ["PATH": folder.url.path]).open(url) { answers.post($0) }
        #expect(try await answers.next() == "neither gio nor xdg-open is installed, so no URL can be opened")
        try opener("xdg-open", "exit 3", in: folder).open(url) { answers.post($0) }
        #expect(try await answers.next() == "no program opens URLs of the scheme strange")
        URLOpener(environment: ["PATH": folder.url.path]).open(URL(string: "relative")!) { answers.post($0) }
        #expect(try await answers.next() == "a URL without a scheme cannot be opened")
        // No desktop can promise this, so nothing is opened.
        let application = try application()
        #expect(await application.open(url, options: [.universalLinksOnly: true]) == false)
        #expect(!application.canOpenURL(URL(string: "relative")!))
        #expect(application.canOpenURL(folder.url))
        #expect(!application.canOpenURL(folder.url.appending(path: "missing")))
    }
}

private final class Plain: NSObject, UIApplicationDelegate {}

private final class Notes: NSObject, UIApplicationDelegate {
    var calls: [String] = []
    var accepts = true
    var scene: (any UISceneDelegate)?

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let item = launchOptions?[.shortcutItem] as? UIApplicationShortcutItem
        calls.append("will \((launchOptions?[.url] as? URL)?.absoluteString ?? "-") \(item?.type ?? "-")")
        return accepts
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        calls.append("did")
        return true
    }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        calls.append("open \(url)")
        return true
    }

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        calls.append("perform \(shortcutItem.localizedTitle) \(shortcutItem.userInfo?["kind"] as? String ?? "-")")
        completionHandler(true)
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        guard let scene else { return connectingSceneSession.configuration }
        return UISceneConfiguration(makeDelegate: { scene })
    }
}

private final class SilentScene: NSObject, UIWindowSceneDelegate {}

private final class NotesScene: NSObject, UIWindowSceneDelegate {
    var calls: [String] = []

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        let url = options.urlContexts.first?.url.absoluteString ?? "-"
        calls.append("connect \(url) \(options.shortcutItem?.localizedTitle ?? "-")")
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        calls.append("open \(URLContexts.first?.url.absoluteString ?? "-")")
    }

    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        calls.append("perform \(shortcutItem.localizedTitle)")
        completionHandler(true)
    }
}
