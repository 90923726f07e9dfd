// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Describes how a scene is created: its class and its delegate.
@preconcurrency @MainActor
public final class UISceneConfiguration: NSObject {
    public let name: String?
    public let role: UISceneSession.Role

    /// A class that inherits from ``UIScene``; nil for ``UIWindowScene``.
    public var sceneClass: AnyClass?

    /// A class that conforms to ``UISceneDelegate``. The framework instantiates it.
    public var delegateClass: AnyClass?

    /// Creates the delegate if `delegateClass` is nil, for delegates that need arguments.
    public var makeDelegate: (() -> any UISceneDelegate)?

    /// Names of classes in the Info.plist that this program does not have.
    private let missingClasses: [String]

    /// Uses the entry with this name under `UISceneConfigurations` in the app's Info.plist; nil selects the role's
    /// first entry.
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

    /// The reason why the app cannot have scenes although it declares them; nil if there is none.
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
            return "the scene class \(NSStringFromClass(sceneClass)) does not inherit from Scene"
        }
        return nil
    }
}
