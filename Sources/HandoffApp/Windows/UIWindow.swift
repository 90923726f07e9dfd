// SPDX-License-Identifier: Apache-2.0

/// A window of the app: its first responder and its controllers. The toolkit displays the window and reports through
/// ``HandoffToolkit`` when it was opened, became the main window or was closed.
@preconcurrency @MainActor
open class UIWindow: UIResponder {
    /// Not nil while the window is open.
    weak var openedBy: HandoffToolkit? {
        didSet { if openedBy == nil { hooks.windowClosed() } else { hooks.windowOpened() } }
    }
    var hasBeenMain = false
    private(set) final lazy var hooks = WindowHooks(of: self)

    /// Shown to the user by the toolkit.
    open var title = ""

    /// The controller of the window's whole content.
    open var rootViewController: UIViewController? {
        didSet {
            guard oldValue !== rootViewController else { return }
            if oldValue?.holdingWindow === self { oldValue?.holdingWindow = nil }
            rootViewController?.holdingWindow?.rootViewController = nil
            rootViewController?.holdingWindow = self
            shownBy?.viewsChanged()
        }
    }

    /// `rootViewController` by AppKit's name.
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

    /// Creates a window in a scene, as UIKit apps do in `scene(_:willConnectTo:options:)`.
    public init(windowScene: UIWindowScene) {
        super.init()
        self.windowScene = windowScene
        // Observers are not called in an initializer.
        windowScene.add(self)
    }

    /// The part of the window that has the focus; nil if none. Not retained. A toolkit reports it with
    /// ``HandoffToolkit/firstResponderChanged(to:in:)``.
    public internal(set) final weak var firstResponder: UIResponder? {
        didSet { shownBy?.chainChanged() }
    }

    /// Makes the object the first responder for activities. Always returns true. If the toolkit decides about focus, a
    /// subclass asks it and returns the result.
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

    /// Opens the window in front of the others. A toolkit's subclass shows its window and leaves the rest to the
    /// toolkit's signals. Without a toolkit, the window is then open and the main window.
    open func makeKeyAndOrderFront(_ sender: Any?) {
        (windowScene?.application ?? openedBy?.application ?? .shared).toolkit.windowBecameMain(self)
    }

    /// `makeKeyAndOrderFront(_:)` by UIKit's name.
    public final func makeKeyAndVisible() { makeKeyAndOrderFront(nil) }

    /// Closes the window, and its document with its last window. A toolkit's subclass closes its window and leaves the
    /// rest to the toolkit's signals.
    open func close() { openedBy?.windowClosed(self) }

    /// The scene's size limits have changed. The default does nothing; a toolkit's subclass applies them to its window.
    open func sizeRestrictionsChanged(to restrictions: UISceneSizeRestrictions) {}

    /// The assigned next responder, or else the window controller or the scene.
    open override var next: UIResponder? { assignedNext ?? windowController ?? windowScene }

    override var shownBy: HandoffToolkit? { openedBy }
}

/// AppKit's name.
public typealias NSWindow = UIWindow
