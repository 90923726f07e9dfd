// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Something that the user can have the app do from its icon: on a Linux desktop an action of the app's desktop entry.
///
/// The items of the Info.plist (`UIApplicationShortcutItems`) have their twins there, each with its type:
/// ```
/// Actions=new;
/// [Desktop Action new]
/// Name=New Note
/// Exec=notes --shortcut-item=com.example.notes.new
/// ```
/// An app that is started so has the item in its launch options, or its scene in its connection options.
@preconcurrency @MainActor
open class UIApplicationShortcutItem: NSObject {
    /// Which one it is, for the app.
    public fileprivate(set) final var type: String
    /// Shown to the user.
    public fileprivate(set) final var localizedTitle: String
    /// Shown below the title.
    public fileprivate(set) final var localizedSubtitle: String?
    /// Shown beside the title.
    public fileprivate(set) final var icon: UIApplicationShortcutIcon?
    /// What else the app needs to know.
    public fileprivate(set) final var userInfo: [String: Any]?
    /// Which content it is about.
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

/// A shortcut item that can be changed after it was made.
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

/// The picture of a shortcut item, by a name of the icon theme.
@preconcurrency @MainActor
public final class UIApplicationShortcutIcon: NSObject {
    /// As the icon theme has it.
    public let name: String

    /// Of the icon theme, or of the app.
    public init(templateImageName name: String) {
        self.name = name
        super.init()
    }

    /// The same: there are no system images here.
    public convenience init(systemImageName name: String) { self.init(templateImageName: name) }
}

extension UIApplication {
    /// At first those of the Info.plist. Desktops read an app's actions from its desktop entry, which is written when the app
    /// is installed: what is set here is kept, and shown nowhere.
    public var shortcutItems: [UIApplicationShortcutItem]? {
        get { ownShortcutItems ?? manifest.shortcuts.map { UIApplicationShortcutItem($0) } }
        set {
            ownShortcutItems = newValue ?? []
            center?.logOnce(
                "shortcut items that are set at run time are shown nowhere; put them into the app's desktop entry")
        }
    }

    /// Has the app do it, as when the toolkit is told that its user chose an action of the desktop entry.
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
