// SPDX-License-Identifier: Apache-2.0

/// A window of the app, as far as activities go: who in it has the focus, and which controllers are in it. What is on the
/// screen is the toolkit's; it tells through ``HandoffToolkit`` when a window opened, became the main one, or closed.
@preconcurrency @MainActor
open class UIWindow: UIResponder {
    /// Not nil while it is open.
    weak var openedBy: HandoffToolkit? {
        didSet { if openedBy == nil { hooks.windowClosed() } else { hooks.windowOpened() } }
    }
    var hasBeenMain = false
    /// What the views in it have declared, and the window itself as a view.
    private(set) final lazy var hooks = WindowHooks(of: self)

    /// Shown to the user by the toolkit.
    open var title = ""

    /// The controller of all that is in the window.
    open var rootViewController: UIViewController? {
        didSet {
            guard oldValue !== rootViewController else { return }
            if oldValue?.holdingWindow === self { oldValue?.holdingWindow = nil }
            rootViewController?.holdingWindow?.rootViewController = nil
            rootViewController?.holdingWindow = self
            shownBy?.viewsChanged()
        }
    }

    /// `rootViewController`, by AppKit's name.
    public final var contentViewController: UIViewController? {
        get { rootViewController }
        set { rootViewController = newValue }
    }

    /// Not retained; the controller retains the window.
    public internal(set) final weak var windowController: NSWindowController? {
        didSet { shownBy?.chainChanged() }
    }

    /// The scene that the window belongs to, in an app with scenes. Not retained.
    public final weak var windowScene: UIWindowScene? {
        didSet {
            guard oldValue !== windowScene else { return }
            oldValue?.remove(self)
            windowScene?.add(self)
        }
    }

    public override init() { super.init() }

    /// In a scene, as UIKit's apps make it in `scene(_:willConnectTo:options:)`.
    public init(windowScene: UIWindowScene) {
        super.init()
        self.windowScene = windowScene
        // Observers are not called in an initializer.
        windowScene.add(self)
    }

    /// Which part of the window has the focus; nil if none. Not retained. A toolkit tells it with
    /// ``HandoffToolkit/firstResponderChanged(to:in:)``.
    public internal(set) final weak var firstResponder: UIResponder? {
        didSet { shownBy?.chainChanged() }
    }

    /// Makes it the first responder, which is what counts for activities. True always: where the toolkit decides, a
    /// subclass asks it and says what came of it.
    @discardableResult
    open func makeFirstResponder(_ responder: UIResponder?) -> Bool {
        firstResponder = responder
        return true
    }

    /// Whether it is on the screen.
    public final var isOpen: Bool { openedBy != nil }
    /// Whether it is the window that its user works in.
    public final var isMainWindow: Bool { openedBy?.mainWindow === self }
    /// Whether it gets the keys.
    public final var isKeyWindow: Bool { openedBy?.keyWindow === self }

    /// Opens the window in front of the others. A subclass for a toolkit has it shown and leaves the rest to the toolkit's
    /// signals; without one, this says that it is open and the main one.
    open func makeKeyAndOrderFront(_ sender: Any?) {
        (windowScene?.application ?? openedBy?.application ?? .shared).toolkit.windowBecameMain(self)
    }

    /// `makeKeyAndOrderFront(_:)`, by UIKit's name.
    public final func makeKeyAndVisible() { makeKeyAndOrderFront(nil) }

    /// Closes the window, and its document if it was its last one. A subclass for a toolkit has it closed and leaves the rest
    /// to the toolkit's signals.
    open func close() { openedBy?.windowClosed(self) }

    /// The scene has other restrictions. The default does nothing: a subclass for a toolkit holds the window to them.
    open func sizeRestrictionsChanged(to restrictions: UISceneSizeRestrictions) {}

    /// What was set, else the window controller, else the scene.
    open override var next: UIResponder? { assignedNext ?? windowController ?? windowScene }

    override var shownBy: HandoffToolkit? { openedBy }
}

/// AppKit's name for it.
public typealias NSWindow = UIWindow
