// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import Handoff

@MainActor
final class ConnectedScenes {
    unowned let application: UIApplication
    /// In the order of connection.
    private(set) var connected: [UIScene] = []
    /// Includes scenes that are not connected, until the user closes them.
    private(set) var sessions: [UISceneSession] = []
    /// Decided at launch.
    private(set) var isInUse = false
    private var uses: UInt64 = 0
    /// The limit for an activity's will-save when the app ends.
    var willSaveAtTheEnd: DispatchTimeInterval = .seconds(2)
    /// Its delegate is creating a window; the scene becomes active after that.
    private var beingConnected: UIScene?
    var routes = ContinuationRoutes()

    init(of application: UIApplication) { self.application = application }

    // MARK: Connecting

    /// Connects the scenes that were open when the app ended, or else a new scene. The most recently used receives
    /// `activityType` and `request`.
    func launched(for activityType: String?, _ request: LaunchRequest) {
        let kept = keptSessions()
        let inFront = kept.last ?? newSession()
        let options = UIScene.ConnectionOptions(
            handoffUserActivityType: activityType, urls: request.urls,
            shortcutItem: application.shortcutItem(of: request))
        guard let configuration = configuration(of: inFront, options) else { return }
        isInUse = true
        sessions = kept.dropLast() + [inFront]
        if application.supportsMultipleScenes {
            for session in kept.dropLast() {
                let options = UIScene.ConnectionOptions()
                if let configuration = self.configuration(of: session, options) {
                    connect(session, as: configuration, options, inFront: false)
                }
            }
        }
        connect(inFront, as: configuration, options)
    }

    private func newSession() -> UISceneSession {
        let session = UISceneSession(
            configuration: UISceneConfiguration(name: nil, sessionRole: .windowApplication),
            lastUsed: application.environment.now())
        session.keeper = self
        return session
    }

    private func configuration(of session: UISceneSession, _ options: UIScene.ConnectionOptions)
        -> UISceneConfiguration?
    {
        guard let delegate = application.delegate else { return nil }
        let configuration = delegate.application(application, configurationForConnecting: session, options: options)
        if let problem = configuration.problem { application.environment.log(problem) }
        if configuration.hasDelegate { return configuration }
        return application.viewEvents.declaration(for: session, options)?.configuration
    }

    @discardableResult
    private func connect(
        _ session: UISceneSession, as configuration: UISceneConfiguration, _ options: UIScene.ConnectionOptions,
        inFront: Bool = true
    ) -> UIScene {
        session.configuration = configuration
        let sceneClass = configuration.sceneClass as? UIScene.Type ?? UIWindowScene.self
        let scene = sceneClass.init(session: session, connectionOptions: options)
        scene.application = application
        scene.delegate = configuration.newDelegate()
        scene.activationState = .background
        session.scene = scene
        connected.append(scene)
        used(scene)
        NotificationCenter.default.post(name: UIScene.willConnectNotification, object: scene)
        beingConnected = scene
        scene.delegate?.scene(scene, willConnectTo: session, options: options)
        beingConnected = nil
        if let activity = session.stateRestorationActivity {
            scene.delegate?.scene(scene, restoreInteractionStateWith: activity)
        }
        // The delegate may have closed the scene.
        guard scene.application != nil else { return scene }
        if inFront { bringToFront(scene) } else { scene.enteredForeground() }
        return scene
    }

    private func connectNew(_ options: UIScene.ConnectionOptions) -> UIScene? {
        let session = newSession()
        guard let configuration = configuration(of: session, options) else { return nil }
        sessions.append(session)
        return connect(session, as: configuration, options)
    }

    /// Nil before the launch of an app with declared scenes.
    func connectNew(as declaration: HandoffSceneDeclaration, for activityType: String?) -> UIScene? {
        guard isInUse else { return nil }
        let session = newSession()
        sessions.append(session)
        return connect(
            session, as: declaration.configuration, UIScene.ConnectionOptions(handoffUserActivityType: activityType))
    }

    // MARK: Scene events

    func used(_ scene: UIScene) {
        uses += 1
        scene.lastUse = uses
        scene.session.lastUsed = application.environment.now()
    }

    private func bringToFront(_ scene: UIScene) {
        used(scene)
        if let window = (scene as? UIWindowScene)?.windows.first {
            // A toolkit reports the open window later; without a toolkit it opens at once.
            window.makeKeyAndOrderFront(nil)
        } else {
            becameActive(scene)
        }
    }

    /// Only one scene is active.
    private func becameActive(_ scene: UIScene) {
        guard scene !== beingConnected else { return }
        for other in connected where other !== scene { other.resignedActive() }
        scene.becameActive()
    }

    // MARK: Window events

    func windowBecameMain(_ window: UIWindow) {
        if let scene = window.windowScene { becameActive(scene) }
    }

    func windowResignedMain(_ window: UIWindow) { window.windowScene?.resignedActive() }

    /// A scene ends with its last window.
    func windowClosed(_ window: UIWindow) {
        guard let scene = window.windowScene, !scene.windows.contains(where: \.isOpen) else { return }
        closed(scene)
    }

    func closed(_ scene: UIScene) {
        guard let index = connected.firstIndex(where: { $0 === scene }) else { return }
        connected.remove(at: index)
        // An activity announced to this scene will go to another scene.
        for notice in routes.sceneClosed(scene) {
            scene.delegate?.scene(
                scene, didFailToContinueUserActivityWithType: notice.activityType, error: CocoaError(.userCancelled))
        }
        scene.activationState = .unattached
        scene.delegate?.sceneDidDisconnect(scene)
        NotificationCenter.default.post(name: UIScene.didDisconnectNotification, object: scene)
        scene.application = nil
        scene.session.scene = nil
        discard(scene.session)
    }

    private func discard(_ session: UISceneSession) {
        sessions.removeAll { $0 === session }
        session.keeper = nil
        application.sceneArchive?.remove(session.persistentIdentifier)
        application.delegate?.application(application, didDiscardSceneSessions: [session])
    }

    // MARK: The app's requests

    func activate(_ request: UISceneSessionActivationRequest) throws(UISceneError) {
        guard isInUse else {
            throw UISceneError(code: .requestDenied, errorDescription: "The app has no scenes.")
        }
        if let session = request.session { return try activate(session, request.userActivity) }
        let scenes = candidates(for: request.userActivity?.targetContentIdentifier)
        switch SceneChoice.forRequest(among: scenes, mayOpenAnother: mayOpenAnother) {
        case .existing(let id):
            guard let scene = scene(id) else { return }
            bringToFront(scene)
            if let activity = request.userActivity { give(activity, to: scene) }
        case .new:
            let options = UIScene.ConnectionOptions(userActivities: Set([request.userActivity].compactMap(\.self)))
            guard connectNew(options) != nil else {
                throw UISceneError(code: .requestDenied, errorDescription: "The app provides no delegate for a scene.")
            }
        }
    }

    private func activate(_ session: UISceneSession, _ activity: NSUserActivity?) throws(UISceneError) {
        guard sessions.contains(where: { $0 === session }) else {
            throw UISceneError(code: .requestDenied, errorDescription: "The scene was closed.")
        }
        if let scene = session.scene {
            bringToFront(scene)
            if let activity { give(activity, to: scene) }
            return
        }
        guard mayOpenAnother else {
            throw UISceneError(code: .multipleScenesNotSupported, errorDescription: "The app can have one scene only.")
        }
        let options = UIScene.ConnectionOptions(userActivities: Set([activity].compactMap(\.self)))
        guard let configuration = configuration(of: session, options) else {
            throw UISceneError(code: .requestDenied, errorDescription: "The app provides no delegate for a scene.")
        }
        connect(session, as: configuration, options)
    }

    /// For the app's own activity.
    func give(_ activity: NSUserActivity, to scene: UIScene) {
        if application.viewEvents.perform(ExternalEvent(activity), with: activity, in: scene) { return }
        scene.delegate?.scene(scene, continue: activity)
    }

    func destroy(_ session: UISceneSession) throws(UISceneError) {
        guard sessions.contains(where: { $0 === session }) else {
            throw UISceneError(code: .requestDenied, errorDescription: "The scene was closed.")
        }
        guard let scene = session.scene else {
            discard(session)
            return
        }
        // If the toolkit closes windows later, the scene ends with them.
        let open = (scene as? UIWindowScene)?.windows.filter(\.isOpen) ?? []
        for window in open { window.close() }
        if open.isEmpty { closed(scene) }
    }

    // MARK: Choosing

    /// The active or most recently used scene.
    var inFront: UIScene? {
        switch SceneChoice.forContinuation(among: candidates(for: nil), mayOpenAnother: false) {
        case .existing(let id): scene(id)
        case .new: nil
        }
    }

    var mayOpenAnother: Bool { application.supportsMultipleScenes || connected.isEmpty }

    private func candidates(for identifier: String?) -> [SceneCandidate<ObjectIdentifier>] {
        connected.map { scene in
            let (prefers, can) = scene.activationConditions.suits(identifier)
            return SceneCandidate(
                id: ObjectIdentifier(scene), prefers: prefers, can: can,
                isActive: scene.activationState == .foregroundActive, lastUse: scene.lastUse)
        }
    }

    private func scene(_ id: ObjectIdentifier) -> UIScene? { connected.first { ObjectIdentifier($0) == id } }

    /// Nil if the application's delegate provides none.
    private func place(for identifier: String?, of activityType: String) -> UIScene? {
        switch SceneChoice.forContinuation(among: candidates(for: identifier), mayOpenAnother: mayOpenAnother) {
        case .existing(let id): scene(id)
        case .new: connectNew(UIScene.ConnectionOptions(handoffUserActivityType: activityType))
        }
    }
}

// MARK: Continuing

extension ConnectedScenes {
    /// If false, the application's delegate receives it.
    func announce(_ notice: ContinuationNotice) -> Bool {
        // Conditions do not apply: the target content is not known yet.
        guard isInUse, let scene = place(for: nil, of: notice.activityType) else { return false }
        announce(notice, to: scene)
        if scene.leavesProgress { application.progress.begin(notice, in: scene, on: application.display) }
        return true
    }

    private func announce(_ notice: ContinuationNotice, to scene: UIScene) {
        routes.announced(notice, to: scene)
        scene.leavesProgress = false
        bringToFront(scene)
        scene.delegate?.scene(scene, willContinueUserActivityWithType: notice.activityType)
    }

    /// False if not announced to a scene.
    func deliver(_ activity: NSUserActivity, of notice: ContinuationNotice) -> Bool {
        guard let announced = routes.ended(notice) else { return false }
        let place = place(for: activity.targetContentIdentifier, of: notice.activityType) ?? announced.scene
        guard let place else { return false }
        if place !== announced.scene {
            // Each announcement to a scene must end.
            if let scene = announced.scene {
                scene.delegate?.scene(
                    scene, didFailToContinueUserActivityWithType: notice.activityType,
                    error: CocoaError(.userCancelled))
            }
            announce(notice, to: place)
            _ = routes.ended(notice)
        }
        place.delegate?.scene(place, continue: activity)
        return true
    }

    /// False if not announced to a scene.
    func fail(_ notice: ContinuationNotice, _ error: CocoaError) -> Bool {
        guard let announced = routes.ended(notice) else { return false }
        // A closed scene was already notified.
        if let scene = announced.scene {
            scene.delegate?.scene(
                scene, didFailToContinueUserActivityWithType: notice.activityType, error: error)
        }
        return true
    }
}

/// The unfinished continuations that were announced to scenes.
@MainActor
struct ContinuationRoutes {
    struct Announced {
        let notice: ContinuationNotice
        weak var scene: UIScene?
    }

    private var open: [Announced] = []

    mutating func announced(_ notice: ContinuationNotice, to scene: UIScene) {
        open.append(Announced(notice: notice, scene: scene))
    }

    mutating func ended(_ notice: ContinuationNotice) -> Announced? {
        open.firstIndex { $0.notice.id == notice.id }.map { open.remove(at: $0) }
    }

    /// These continue without a scene.
    mutating func sceneClosed(_ scene: UIScene) -> [ContinuationNotice] {
        var notices: [ContinuationNotice] = []
        for index in open.indices where open[index].scene === scene {
            open[index].scene = nil
            notices.append(open[index].notice)
        }
        return notices
    }
}
