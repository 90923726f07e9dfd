// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An action that the user can choose from the app's icon: on a Linux desktop, an action of the app's desktop entry.
///
/// The items of the Info.plist (`UIApplicationShortcutItems`) have counterparts in the desktop entry, with the same
/// types:
/// ```
/// Actions=new;
/// [Desktop Action new]
/// Name=New Note
/// Exec=notes --shortcut-item=com.example.notes.new
/// ```
/// The item is then in the app's launch options, or in its scene's connection options.
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
    /// Identifies the content that the item concerns.
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

/// A shortcut item whose properties can be set.
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

/// The icon of a shortcut item, named as in the icon theme.
@preconcurrency @MainActor
public final class UIApplicationShortcutIcon: NSObject {
    /// The name in the icon theme.
    public let name: String

    /// `templateImageName`: a name of the icon theme or of the app.
    public init(templateImageName name: String) {
        self.name = name
        super.init()
    }

    /// The same as `init(templateImageName:)`; Linux has no system images.
    public convenience init(systemImageName name: String) { self.init(templateImageName: name) }
}

extension UIApplication {
    /// Initially the items of the Info.plist. Desktops read actions from the desktop entry, which is written when the
    /// app is installed, so items set here are stored but never shown.
    public var shortcutItems: [UIApplicationShortcutItem]? {
        get { ownShortcutItems ?? manifest.shortcuts.map { UIApplicationShortcutItem($0) } }
        set {
            ownShortcutItems = newValue ?? []
            center?.logOnce(
                "shortcut items that are set at run time are not shown; put them into the app's desktop entry")
        }
    }

    /// Performs the action, as if the user had chosen it from the desktop entry.
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
