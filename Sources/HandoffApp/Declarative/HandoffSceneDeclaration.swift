// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff

/// A kind of scene, like a `WindowGroup` in SwiftUI; for an example see <doc:DeclarativeHooks>. Apps with scene
/// delegates use ``UISceneConfiguration`` instead.
@preconcurrency @MainActor
public struct HandoffSceneDeclaration {
    /// Identifies the declaration across runs of the app.
    public let name: String
    let content: @MainActor (UIWindowScene) -> AnyObject
    /// Nil without the modifier.
    private(set) var conditions: EventConditions?

    /// `content` creates a connected scene's window, views and handlers. Its result is retained until the scene ends.
    public init(_ name: String, content: @escaping @MainActor (UIWindowScene) -> AnyObject) {
        self.name = name
        self.content = content
    }

    /// Chooses the events that open a new scene of this kind if no open window receives them. The first match is used,
    /// or else a declaration without this modifier. No effect with one scene.
    ///
    /// The texts are compared as in ``HandoffDeclaredView/handlesExternalEvents(preferring:allowing:)``.
    public func handlesExternalEvents(matching conditions: Set<String>) -> Self {
        var declaration = self
        declaration.conditions = EventConditions(texts: conditions)
        return declaration
    }

    var configuration: UISceneConfiguration {
        UISceneConfiguration(name: name) { DeclaredSceneDelegate(of: self) }
    }
}

extension UIApplication {
    /// The app's kinds of scenes, in order of choice; the first without conditions is opened at launch. Set this before
    /// the launch. A delegate's own configuration takes precedence.
    public var sceneDeclarations: [HandoffSceneDeclaration] {
        get { viewEvents.declarations }
        set {
            viewEvents.declarations = newValue
            if delegate == nil, !newValue.isEmpty {
                let idle = IdleDelegate()
                ownDelegate = idle
                delegate = idle
            }
        }
    }
}

private final class IdleDelegate: HandoffApplicationDelegate {}

/// The application's delegate receives the events that no view handles.
@MainActor
final class DeclaredSceneDelegate: UISceneDelegate {
    let declaration: HandoffSceneDeclaration
    /// The type of the activity that the scene still waits for.
    var awaitedType: String?
    private var content: AnyObject?

    init(of declaration: HandoffSceneDeclaration) { self.declaration = declaration }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        awaitedType = connectionOptions.handoffUserActivityType
        guard let windowScene = scene as? UIWindowScene else { return }
        content = declaration.content(windowScene)
        guard let application = scene.application else { return }
        for activity in connectionOptions.userActivities { application.scenes.give(activity, to: scene) }
        let urls = connectionOptions.urlContexts.map(\.url).filter {
            !application.viewEvents.perform(ExternalEvent($0), with: nil, in: scene)
        }
        if !urls.isEmpty { application.delegate?.application(application, open: urls) }
    }

    func sceneDidDisconnect(_ scene: UIScene) { content = nil }
}
