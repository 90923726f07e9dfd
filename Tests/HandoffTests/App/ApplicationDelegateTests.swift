// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import Testing

@testable import Handoff
@testable import HandoffApp

/// Delegates in the forms of Apple's documentation. Shows H01, H03, S05.
@Suite @MainActor struct ApplicationDelegateTests {
    private func application() throws -> UIApplication { UIApplication(center: try Laptop().center) }

    /// As `@main` does.
    @Test func uiKitDelegateIsMadeKeptAndLaunched() throws {
        let application = try application()
        application.run(withDelegateOf: DocumentedAppDelegate.self)
        let delegate = try #require(application.delegate as? DocumentedAppDelegate)
        #expect(delegate.isLaunched)
        let main: @MainActor () -> Void = DocumentedAppDelegate.main
        withExtendedLifetime(main) {}
    }

    @Test func delegateIsMadeByTheNameOfItsClass() {
        let name = NSStringFromClass(DocumentedAppDelegate.self)
        let made = NamedClass.find(name).flatMap { NewObject.of($0) }
        #expect(made is DocumentedAppDelegate)
    }

    private class Base: NSObject, UIApplicationDelegate {
        var name = "base"
    }
    private class Derived: Base {
        let list: [String]
        override init() {
            list = ["derived"]
            super.init()
            name = "derived"
        }
    }
    private class Inheriting: Derived {
        var more = [1, 2]
    }
    private class NoObject: UIApplicationDelegate {}
    private final class Made: UIApplicationDelegate, HandoffInstantiable {}

    /// As `[Class new]` does: by the class's own initializer, or an inherited one.
    @Test func objectsOfAnyClassAreMade() throws {
        #expect((NewObject.of(Base.self) as? Base)?.name == "base")
        weak var gone: Inheriting?
        do {
            let made = try #require(NewObject.of(Inheriting.self) as? Inheriting)
            #expect(type(of: made) == Inheriting.self)
            #expect(made.name == "derived")
            #expect(made.list == ["derived"])
            #expect(made.more == [1, 2])
            gone = made
        }
        #expect(gone == nil)
        #expect(NewObject.of(NoObject.self) == nil)
        #expect(NewObject.of(Made.self) is Made)
    }

    @Test func uiKitDelegateMayHandNoObjectsToTheRestorationHandler() throws {
        let application = try application()
        let delegate = DocumentedAppDelegate()
        application.delegate = delegate
        #expect(application.delegateContinues(NSUserActivity(activityType: "com.example.a")))
        #expect(delegate.continued == "com.example.a")
    }

    @Test func appKitDelegateReceivesNotifications() throws {
        let application = try application()
        let delegate = DocumentedMacDelegate()
        application.delegate = delegate
        application.finishLaunching()
        application.toolkit.applicationBecameActive()
        application.toolkit.applicationBecameActive()
        application.toolkit.applicationResignedActive()
        #expect(
            delegate.heard == [
                UIApplication.willFinishLaunchingNotification, UIApplication.didFinishLaunchingNotification,
                UIApplication.didBecomeActiveNotification, UIApplication.willResignActiveNotification,
            ])
        #expect(delegate.object === application)
        #expect(application.delegateContinues(NSUserActivity(activityType: "com.example.a")))
    }

    @Test func sceneDelegateIsMadeOfItsClass() throws {
        let application = try application()
        let delegate = DocumentedAppDelegate()
        delegate.sceneDelegateClass = DocumentedSceneDelegate.self
        application.delegate = delegate
        application.finishLaunching()
        let scene = try #require(application.connectedScenes.first)
        let sceneDelegate = try #require(scene.delegate as? DocumentedSceneDelegate)
        #expect(sceneDelegate.window?.windowScene === scene)
        #expect(sceneDelegate.window?.isMainWindow == true)
        #expect(scene.activationState == .foregroundActive)
        sceneDelegate.window?.close()
    }

    // MARK: Info.plist

    private let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>UIApplicationSceneManifest</key><dict>
        <key>UIApplicationSupportsMultipleScenes</key><true/>
        <key>UISceneConfigurations</key><dict><key>UIWindowSceneSessionRoleApplication</key><array>
        <dict><key>UISceneConfigurationName</key><string>Default</string>
        <key>UISceneDelegateClassName</key><string>DELEGATE</string></dict></array></dict></dict></dict></plist>
        """

    private func manifest(_ delegate: String) throws -> SceneManifest {
        try #require(try read(plist.replacingOccurrences(of: "DELEGATE", with: delegate)))
    }

    private func read(_ text: String) throws -> SceneManifest? {
        try PropertyListFile(path: "Info.plist").decode(ApplicationManifest.self, from: Array(text.utf8))
            .scenes
    }

    @Test func configurationComesFromTheInfoPlist() throws {
        let manifest = try manifest(NSStringFromClass(DocumentedSceneDelegate.self))
        #expect(manifest.supportsMultipleScenes)
        for name in [nil, "Default"] {
            let configuration = UISceneConfiguration(name: name, sessionRole: .windowApplication, in: manifest)
            #expect(configuration.name == "Default")
            #expect(configuration.newDelegate() is DocumentedSceneDelegate)
            #expect(configuration.problem == nil)
        }
        let another = UISceneConfiguration(name: "Another", sessionRole: .windowApplication, in: manifest)
        #expect(!another.hasDelegate)
        #expect(try read("<plist version=\"1.0\"><dict/></plist>") == nil)
    }

    @Test func productModuleNameIsTheDelegatesModule() throws {
        let laptop = try Laptop()
        let delegate = DocumentedAppDelegate()
        let application = UIApplication(center: laptop.center)
        application.delegate = delegate
        let manifest = try manifest("$(PRODUCT_MODULE_NAME).DocumentedSceneDelegate")
        let configuration = laptop.center.run {
            UISceneConfiguration(name: nil, sessionRole: .windowApplication, in: manifest)
        }
        #expect(configuration.delegateClass == DocumentedSceneDelegate.self)
        #expect(configuration.problem == nil)
        #expect(NamedClass.identifier("My Notes-2") == "My_Notes_2")
        #expect(NamedClass.identifier("2Notes") == "_2Notes")
    }

    @Test func missingOrUnsuitableClassIsReported() throws {
        let missing = UISceneConfiguration(
            name: nil, sessionRole: .windowApplication, in: try manifest("$(PRODUCT_MODULE_NAME).SceneDelegate"))
        #expect(missing.problem?.contains("$(PRODUCT_MODULE_NAME).SceneDelegate") == true)
        let wrong = UISceneConfiguration(name: nil, sessionRole: .windowApplication)
        wrong.delegateClass = DocumentedAppDelegate.self
        #expect(wrong.problem?.contains("does not conform to UISceneDelegate") == true)
        #expect(!wrong.hasDelegate)
    }
}

class DocumentedAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var isLaunched = false
    var continued: String?
    var sceneDelegateClass: AnyClass?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        isLaunched = true
        application.stop()
        return true
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(
            name: "Default Configuration", sessionRole: connectingSceneSession.role)
        configuration.delegateClass = sceneDelegateClass
        return configuration
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        continued = userActivity.activityType
        restorationHandler(nil)
        return true
    }
}

class DocumentedSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        window = UIWindow(windowScene: windowScene)
        window?.makeKeyAndVisible()
    }
}

class DocumentedMacDelegate: NSObject, NSApplicationDelegate {
    var heard: [Notification.Name] = []
    weak var object: UIApplication?

    private func note(_ notification: Notification) {
        heard.append(notification.name)
        object = notification.object as? UIApplication
    }

    func applicationWillFinishLaunching(_ notification: Notification) { note(notification) }
    func applicationDidFinishLaunching(_ notification: Notification) { note(notification) }
    func applicationDidBecomeActive(_ notification: Notification) { note(notification) }
    func applicationWillResignActive(_ notification: Notification) { note(notification) }

    func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        restorationHandler([])
        return true
    }
}
