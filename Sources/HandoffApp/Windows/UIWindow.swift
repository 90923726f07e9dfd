// SPDX-License-Identifier: Apache-2.0

/// A window of the app. The toolkit displays it and reports its state through ``HandoffToolkit``.
@preconcurrency @MainActor
open class UIWindow: UIResponder {
    weak var openedBy: HandoffToolkit? {
        didSet { if openedBy == nil { hooks.windowClosed() } else { hooks.windowOpened() } }
    }
    var hasBeenMain = false
    private(set) final lazy var hooks = WindowHooks(of: self)

    /// Displayed by the toolkit.
    open var title = ""

    /// The root of the window's view controllers.
    open var rootViewController: UIViewController? {
        didSet {
            guard oldValue !== rootViewController else { return }
            if oldValue?.holdingWindow === self { oldValue?.holdingWindow = nil }
            rootViewController?.holdingWindow?.rootViewController = nil
            rootViewController?.holdingWindow = self
            shownBy?.viewsChanged()
        }
    }

    /// AppKit's name.
    public final var contentViewController: UIViewController? {
        get { rootViewController }
        set { rootViewController = newValue }
    }

    /// Not retained; it retains the window.
    public internal(set) final weak var windowController: NSWindowController? {
        didSet { shownBy?.chainChanged() }
    }

    /// The window's scene. Not retained.
    public final weak var windowScene: UIWindowScene? {
        didSet {
            guard oldValue !== windowScene else { return }
            oldValue?.remove(self)
            windowScene?.add(self)
        }
    }

    public override init() { super.init() }

    /// Creates a window in a scene.
    public init(windowScene: UIWindowScene) {
        super.init()
        self.windowScene = windowScene
        // `didSet` does not run in an initializer.
        windowScene.add(self)
    }

    /// The focused part of the window. Not retained. Reported with ``HandoffToolkit/firstResponderChanged(to:in:)``.
    public internal(set) final weak var firstResponder: UIResponder? {
        didSet { shownBy?.chainChanged() }
    }

    /// Makes the object the first responder. Always true, unless a subclass asks its toolkit.
    @discardableResult
    open func makeFirstResponder(_ responder: UIResponder?) -> Bool {
        firstResponder = responder
        return true
    }

    /// Whether the window is open.
    public final var isOpen: Bool { openedBy != nil }
    /// Whether the user works in this window.
    public final var isMainWindow: Bool { openedBy?.mainWindow === self }
    /// Whether the window has keyboard focus.
    public final var isKeyWindow: Bool { openedBy?.keyWindow === self }

    /// Opens the window in front of the others. A toolkit's subclass shows its window; signals do the rest.
    open func makeKeyAndOrderFront(_ sender: Any?) {
        (windowScene?.application ?? openedBy?.application ?? .shared).toolkit.windowBecameMain(self)
    }

    /// UIKit's name.
    public final func makeKeyAndVisible() { makeKeyAndOrderFront(nil) }

    /// Closes the window, and its document with its last window. A toolkit's subclass closes its own.
    open func close() { openedBy?.windowClosed(self) }

    /// The scene's size limits changed. Does nothing; a toolkit's subclass applies them.
    open func sizeRestrictionsChanged(to restrictions: UISceneSizeRestrictions) {}

    /// The assigned next responder, or else the window controller or the scene.
    open override var next: UIResponder? { assignedNext ?? windowController ?? windowScene }

    override var shownBy: HandoffToolkit? { openedBy }
}

/// AppKit's name.
public typealias NSWindow = UIWindow
