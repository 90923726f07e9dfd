// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An action of the app's desktop entry, with the type of an item of `UIApplicationShortcutItems` in the Info.plist:
/// `Exec=notes --shortcut-item=TYPE`. The launch or connection options contain it. For an example see <doc:PortAnApp>.
@preconcurrency @MainActor
open class UIApplicationShortcutItem: NSObject {
    /// Identifies the item to the app.
    public fileprivate(set) final var type: String
    /// Shown to the user.
    public fileprivate(set) final var localizedTitle: String
    /// Shown below the title.
    public fileprivate(set) final var localizedSubtitle: String?
    /// Shown next to the title.
    public fileprivate(set) final var icon: UIApplicationShortcutIcon?
    /// App-specific data.
    public fileprivate(set) final var userInfo: [String: Any]?
    /// Identifies the content concerned.
    public fileprivate(set) final var targetContentIdentifier: Any?

    public init(
        type: String, localizedTitle: String, localizedSubtitle: String? = nil, icon: UIApplicationShortcutIcon? = nil,
        userInfo: [String: Any]? = nil
    ) {
        self.type = type
        self.localizedTitle = localizedTitle
        self.localizedSubtitle = localizedSubtitle
        self.icon = icon
        self.userInfo = userInfo
        super.init()
    }

    convenience init(_ declared: ApplicationManifest.Shortcut) {
        self.init(
            type: declared.type, localizedTitle: declared.title ?? declared.type, localizedSubtitle: declared.subtitle,
            userInfo: declared.userInfo)
    }
}

/// A shortcut item with setters.
@preconcurrency @MainActor
open class UIMutableApplicationShortcutItem: UIApplicationShortcutItem {
    /// Sets `type`.
    public final func setType(_ type: String) { self.type = type }
    /// Sets `localizedTitle`.
    public final func setLocalizedTitle(_ title: String) { localizedTitle = title }
    /// Sets `userInfo`.
    public final func setUserInfo(_ userInfo: [String: Any]?) { self.userInfo = userInfo }
    /// Sets `targetContentIdentifier`.
    public final func setTargetContentIdentifier(_ identifier: Any?) { targetContentIdentifier = identifier }
}

/// A shortcut item's icon.
@preconcurrency @MainActor
public final class UIApplicationShortcutIcon: NSObject {
    /// In the icon theme.
    public let name: String

    /// `templateImageName`: a name of the icon theme or of the app.
    public init(templateImageName name: String) {
        self.name = name
        super.init()
    }

    /// As `init(templateImageName:)`; Linux has no system images.
    public convenience init(systemImageName name: String) { self.init(templateImageName: name) }
}

extension UIApplication {
    /// Initially those of the Info.plist. Items set here are never shown: desktops read the installed desktop entry.
    public var shortcutItems: [UIApplicationShortcutItem]? {
        get { ownShortcutItems ?? manifest.shortcuts.map { UIApplicationShortcutItem($0) } }
        set {
            ownShortcutItems = newValue ?? []
            center?.logOnce(
                "shortcut items that are set at run time are not shown; put them into the app's desktop entry")
        }
    }

    /// Performs the action, as if the user had chosen it.
    public func perform(
        _ shortcutItem: UIApplicationShortcutItem, completionHandler: @escaping (Bool) -> Void = { _ in }
    ) {
        whenLaunched { delegate in
            if let scene = self.scenes.inFront as? UIWindowScene, let sceneDelegate = scene.delegate {
                sceneDelegate.windowScene(scene, performActionFor: shortcutItem, completionHandler: completionHandler)
            } else {
                delegate.application(self, performActionFor: shortcutItem, completionHandler: completionHandler)
            }
        }
    }
}
