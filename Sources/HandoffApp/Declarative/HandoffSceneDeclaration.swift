// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff

/// A kind of scene that the app opens, as a `WindowGroup` is one in SwiftUI. Apps with a delegate for each scene have
/// ``UISceneConfiguration`` for it.
///
/// ```swift
/// UIApplication.shared.sceneDeclarations = [
///     HandoffSceneDeclaration("list") { scene in ListWindow(in: scene) },
///     HandoffSceneDeclaration("item") { scene in ItemWindow(in: scene) }.handlesExternalEvents(matching: ["item-"]),
/// ]
/// ```
@preconcurrency @MainActor
public struct HandoffSceneDeclaration {
    /// Tells it from others, also in the next run of the app.
    public let name: String
    let content: @MainActor (UIWindowScene) -> AnyObject
    /// Nil without the modifier.
    private(set) var conditions: EventConditions?

    /// `content` makes a scene's window, and its views with their handlers. It is called when a scene is connected. What it
    /// returns is kept for as long as the scene is there.
    public init(_ name: String, content: @escaping @MainActor (UIWindowScene) -> AnyObject) {
        self.name = name
        self.content = content
    }

    /// For which events a new scene of this kind is opened, where no open window takes them. A declaration without this is for
    /// what no other one is for; of several that match the first counts.
    ///
    /// The texts are compared as those of ``HandoffDeclaredView/handlesExternalEvents(preferring:allowing:)``. They have no
    /// effect in an app that has one scene, which takes everything.
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
    /// The kinds of scenes that the app opens, in the order in which they are looked at; the first without conditions is
    /// opened at launch. To be set before the launch. Where a delegate names one of its own, that is taken.
    ///
    /// An app that declares scenes needs no delegate: it gets one that does nothing, unless it has one.
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

/// Of an app that does all with its scenes and views.
private final class IdleDelegate: HandoffApplicationDelegate {}

/// Of a scene that was declared. What no view takes is the application delegate's.
@MainActor
final class DeclaredSceneDelegate: UISceneDelegate {
    let declaration: HandoffSceneDeclaration
    /// The type of the activity that the scene was opened for and that has not come yet.
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
