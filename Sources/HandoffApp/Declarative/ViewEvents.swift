// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff

@MainActor
final class ViewEvents {
    enum Arrival {
        case handled
        /// Announced here, but no view takes it now. No delegate knows about it.
        case nobody
        case notAnnounced
    }

    unowned let application: UIApplication
    var declarations: [HandoffSceneDeclaration] = []
    /// Their content is on its way; no delegate knows about them.
    private var announced = ContinuationLedger()

    init(of application: UIApplication) { self.application = application }

    // MARK: Continuing

    /// If true, views will probably receive it, not a delegate.
    func announce(_ notice: ContinuationNotice) -> Bool {
        let isHandled = application.windows.contains { $0.hooks.handles(activityType: notice.activityType) }
        guard isHandled || (!declarations.isEmpty && application.scenes.mayOpenAnother) else { return false }
        announced.announced(notice)
        return true
    }

    func deliver(_ activity: NSUserActivity, of notice: ContinuationNotice) -> Arrival {
        guard ended(notice) else { return .notAnnounced }
        return route(ExternalEvent(activity), with: activity) ? .handled : .nobody
    }

    func ended(_ notice: ContinuationNotice) -> Bool { announced.ended(notice.id) != nil }

    /// False if no view takes it.
    func open(_ url: URL) -> Bool { route(ExternalEvent(url), with: nil) }

    // MARK: Routing

    private func route(_ event: ExternalEvent, with activity: NSUserActivity?) -> Bool {
        let windows = application.windows
        let places = windows.enumerated().compactMap { index, window in
            window.hooks.claim(on: event).map { claim in
                EventPlace(id: index, claim: claim, openedBy: opener(of: window, for: activity?.activityType))
            }
        }
        let route = EventRoute.choice(
            among: places, declarations: declarations.map { $0.conditions?.match(event.subject) },
            isOneScene: !application.supportsMultipleScenes, hasOpenWindow: !windows.isEmpty)
        switch route {
        case .window(let index):
            let window = windows[index]
            (window.windowScene?.delegate as? DeclaredSceneDelegate)?.awaitedType = nil
            window.makeKeyAndOrderFront(nil)
            return window.hooks.perform(event, with: activity)
        case .newScene(let index):
            guard let scene = application.scenes.connectNew(as: declarations[index], for: activity?.activityType) else {
                return false
            }
            return perform(event, with: activity, in: scene)
        case .nowhere:
            return false
        }
    }

    func perform(_ event: ExternalEvent, with activity: NSUserActivity?, in scene: UIScene) -> Bool {
        (scene.delegate as? DeclaredSceneDelegate)?.awaitedType = nil
        let windows = (scene as? UIWindowScene)?.windows ?? []
        return windows.contains { $0.hooks.perform(event, with: activity) }
    }

    /// The declaration of a scene whose awaited activity has this type.
    private func opener(of window: UIWindow, for activityType: String?) -> Int? {
        guard let activityType, let delegate = window.windowScene?.delegate as? DeclaredSceneDelegate,
            delegate.awaitedType == activityType
        else { return nil }
        return declarations.firstIndex { $0.name == delegate.declaration.name }
    }

    // MARK: Declared scenes

    /// For a scene that no delegate configures: the same declaration as last time, or else the match for the event.
    func declaration(for session: UISceneSession, _ options: UIScene.ConnectionOptions) -> HandoffSceneDeclaration? {
        if let name = session.configuration.name, let same = declarations.first(where: { $0.name == name }) {
            return same
        }
        let event = options.userActivities.first.map { ExternalEvent($0) }
        let matching = event.flatMap { event in
            declarations.first { $0.conditions?.match(event.subject) == true }
        }
        return matching ?? declarations.first { $0.conditions == nil } ?? declarations.first
    }
}
