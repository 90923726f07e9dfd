// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows U03.
@Suite @MainActor struct SceneDeclarationTests {
    private nonisolated static let type = "com.example.reader.reading"

    @MainActor private final class App {
        let desktop: Laptop
        let application: UIApplication
        /// Calls to the scenes' views and delegates.
        var calls: [String] = []

        init(launchActivity: String? = nil, supportsMultipleScenes: Bool = true) async throws {
            desktop = try Laptop(bundle: "com.example.reader", launchActivity: launchActivity)
            application = UIApplication(center: desktop.center)
            application.supportsMultipleScenes = supportsMultipleScenes
            _ = try await desktop.daemon.hellos.next()
        }

        func declaration(_ name: String, taking type: String = SceneDeclarationTests.type) -> HandoffSceneDeclaration {
            HandoffSceneDeclaration(name) { [unowned self] scene in
                calls.append("open \(name)")
                let window = UIWindow(windowScene: scene)
                window.onContinueUserActivity(type) { [unowned self] in calls.append("\(name) \($0.title ?? "")") }
                return window
            }
        }

        func arrive(_ number: UInt8 = 1, target: String? = nil) async throws -> Bool {
            let continuation = Continuation(number, of: SceneDeclarationTests.type, on: desktop)
            _ = try await continuation.announce().next()
            return try await continuation.deliver(target: target).next() == .done(accepted: true)
        }
    }

    @Test func firstWithoutConditionsOpensAtLaunchAndNeedsNoDelegate() async throws {
        let app = try await App()
        app.application.sceneDeclarations = [
            app.declaration("note").handlesExternalEvents(matching: ["note-"]), app.declaration("list"),
        ]
        #expect(app.application.delegate != nil)
        app.application.finishLaunching()
        #expect(app.calls == ["open list"])
        #expect(app.application.windows.count == 1)
        #expect(app.application.sceneDeclarations.map(\.name) == ["note", "list"])
    }

    @Test func eventThatNoWindowTakesOpensTheSceneThatMatches() async throws {
        let app = try await App()
        app.application.sceneDeclarations = [
            app.declaration("list"), app.declaration("letter").handlesExternalEvents(matching: ["letter-"]),
            app.declaration("note").handlesExternalEvents(matching: ["NOTE-", "letter-"]),
        ]
        app.application.finishLaunching()
        #expect(try await app.arrive(1, target: "note-7"))
        #expect(app.calls == ["open list", "open note", "note Chapter 3"])
        #expect(try await app.arrive(2, target: "letter-8"))
        #expect(app.calls.suffix(2) == ["open letter", "letter Chapter 3"])
        // No condition matches: a new scene of the first declaration without conditions.
        #expect(try await app.arrive(3, target: "draft-9"))
        #expect(app.calls.suffix(2) == ["open list", "list Chapter 3"])
        #expect(app.application.connectedScenes.count == 4)
    }

    @Test func openAllowingScenePrecedesANewScene() async throws {
        let app = try await App()
        app.application.sceneDeclarations = [app.declaration("list")]
        app.application.finishLaunching()
        let window = try #require(app.application.windows.first)
        window.handlesExternalEvents(preferring: [], allowing: ["*"])
        #expect(try await app.arrive())
        #expect(app.calls == ["open list", "list Chapter 3"])
        #expect(app.application.connectedScenes.count == 1)
    }

    @Test func sceneThatTheLaunchOpenedForItTakesIt() async throws {
        let app = try await App(launchActivity: Self.type)
        app.application.sceneDeclarations = [app.declaration("list")]
        app.application.finishLaunching()
        #expect(try await app.arrive(1))
        #expect(app.calls == ["open list", "list Chapter 3"])
        // That scene has already received its activity.
        #expect(try await app.arrive(2))
        #expect(app.calls.suffix(2) == ["open list", "list Chapter 3"])
        #expect(app.application.connectedScenes.count == 2)
    }

    @Test func appWithOneSceneHasItTakeEverything() async throws {
        let app = try await App(supportsMultipleScenes: false)
        app.application.sceneDeclarations = [
            app.declaration("list"), app.declaration("note").handlesExternalEvents(matching: ["note-"]),
        ]
        app.application.finishLaunching()
        #expect(try await app.arrive(1, target: "note-7"))
        #expect(app.calls == ["open list", "list Chapter 3"])
        for window in app.application.windows { app.application.toolkit.windowClosed(window) }
        #expect(app.application.connectedScenes.isEmpty)
        #expect(try await app.arrive(2, target: "note-7"))
        #expect(app.calls.suffix(2) == ["open note", "note Chapter 3"])
    }

    /// A scene of the default kind opens, and the delegate receives an activity that no view takes.
    @Test func delegateReceivesWhatNoViewOfTheNewSceneTakes() async throws {
        let app = try await App()
        let delegate = Noting()
        app.application.delegate = delegate
        app.application.sceneDeclarations = [app.declaration("list", taking: "com.example.reader.browsing")]
        app.application.finishLaunching()
        #expect(try await app.arrive())
        #expect(app.calls == ["open list", "open list"])
        #expect(delegate.calls == ["will \(Self.type)", "continue Chapter 3"])
    }

    @Test func contentGoesWithItsScene() async throws {
        let app = try await App()
        weak var window: UIWindow?
        app.application.sceneDeclarations = [
            HandoffSceneDeclaration("list") { scene in
                let made = UIWindow(windowScene: scene)
                window = made
                return made
            }
        ]
        app.application.finishLaunching()
        #expect(window?.isOpen == true)
        if let window { app.application.toolkit.windowClosed(window) }
        #expect(window == nil)
        #expect(app.application.connectedScenes.isEmpty)
    }

    /// A request by the app itself.
    @Test func requestOpensTheSceneThatMatchesAndGivesItTheActivity() async throws {
        let app = try await App()
        app.application.sceneDeclarations = [
            app.declaration("list"), app.declaration("note").handlesExternalEvents(matching: ["note-"]),
        ]
        app.application.finishLaunching()
        let activity = app.desktop.activity(title: "Note 7")
        activity.targetContentIdentifier = "note-7"
        app.application.activateSceneSession(for: UISceneSessionActivationRequest(userActivity: activity))
        #expect(app.calls == ["open list", "open note", "note Note 7"])
    }

    @Test func delegatesConfigurationGoesBeforeDeclaredScenes() async throws {
        let app = try await App()
        let delegate = SceneApp()
        app.application.delegate = delegate
        app.application.sceneDeclarations = [app.declaration("list")]
        app.application.finishLaunching()
        #expect(delegate.calls.first == "1 connect -")
        #expect(app.calls.isEmpty)
    }
}
