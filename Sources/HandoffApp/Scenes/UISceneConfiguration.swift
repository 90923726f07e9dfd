// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A scene's class and delegate.
@preconcurrency @MainActor
public final class UISceneConfiguration: NSObject {
    public let name: String?
    public let role: UISceneSession.Role

    /// A subclass of ``UIScene``; nil for ``UIWindowScene``.
    public var sceneClass: AnyClass?

    /// Instantiated by the framework; conforms to ``UISceneDelegate``.
    public var delegateClass: AnyClass?

    /// Used if `delegateClass` is nil, for delegates that need arguments.
    public var makeDelegate: (() -> any UISceneDelegate)?

    /// Named in the Info.plist, but not in this program.
    private let missingClasses: [String]

    /// Uses the entry with this name under `UISceneConfigurations` in the Info.plist; nil for the role's first.
    public convenience init(name: String?, sessionRole: UISceneSession.Role) {
        self.init(name: name, sessionRole: sessionRole, in: ApplicationManifest.ofThisProcess.scenes)
    }

    init(name: String?, sessionRole: UISceneSession.Role, in manifest: SceneManifest?) {
        let declared = manifest?.configuration(named: name, for: sessionRole)
        self.name = name ?? declared?.name
        role = sessionRole
        sceneClass = declared?.sceneClassName.flatMap { NamedClass.find($0) }
        delegateClass = declared?.delegateClassName.flatMap { NamedClass.find($0) }
        missingClasses = [declared?.sceneClassName, declared?.delegateClassName].compactMap(\.self).filter {
            NamedClass.find($0) == nil
        }
        super.init()
    }

    /// Uses a delegate that the app creates.
    public convenience init(
        name: String? = nil, sessionRole: UISceneSession.Role = .windowApplication,
        makeDelegate: @escaping () -> any UISceneDelegate
    ) {
        self.init(name: name, sessionRole: sessionRole)
        self.makeDelegate = makeDelegate
    }

    var hasDelegate: Bool { makeDelegate != nil || delegateType != nil }

    func newDelegate() -> (any UISceneDelegate)? {
        makeDelegate?() ?? delegateType.flatMap { NewObject.of($0) as? any UISceneDelegate }
    }

    private var delegateType: (any UISceneDelegate.Type)? {
        delegateClass.flatMap { NewObject.canBeMade($0) ? $0 as? any UISceneDelegate.Type : nil }
    }

    /// The reason why declared scenes cannot be used.
    var problem: String? {
        if let name = missingClasses.first, !hasDelegate {
            return
                "the Info.plist names the scene class \(name), which this program does not have; write it as Module.Class"
        }
        if makeDelegate == nil, let delegateClass, delegateType == nil {
            let lacks =
                delegateClass is any UISceneDelegate.Type
                ? "neither inherits from NSObject nor is HandoffInstantiable" : "does not conform to UISceneDelegate"
            return "the scene delegate \(NSStringFromClass(delegateClass)) \(lacks)"
        }
        if let sceneClass, !(sceneClass is UIScene.Type) {
            return "the scene class \(NSStringFromClass(sceneClass)) does not inherit from UIScene"
        }
        return nil
    }
}
