// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
public import CGTK
public import HandoffGTKCalls
internal import Foundation
public import HandoffApp

/// A GTK window. The framework follows GTK's signals.
///
/// ```swift
/// let window = GTKWindow()
/// window.title = "Chapter 3"
/// window.rootViewController = PageController()
/// window.makeKeyAndOrderFront(nil)
/// ```
///
/// The window exists until closed; ``shouldClose()`` first saves its document or asks the user.
@preconcurrency @MainActor
open class GTKWindow: UIWindow {
    /// The `GtkWindow`. Retained.
    public let window: UnsafeMutablePointer<GtkWindow>
    private(set) lazy var overlay = WindowOverlay(in: self)
    private var isGone = false
    var isAsking = false
    /// The user has answered.
    var mayCloseUnsaved = false

    /// Creates a `GtkApplicationWindow` of the app.
    public override convenience init() {
        self.init(gtk_application_window_new(GTKApplication.shared.application).cast(to: GtkWindow.self))
    }

    /// Creates a window in a scene.
    public override convenience init(windowScene: UIWindowScene) {
        self.init()
        self.windowScene = windowScene
    }

    /// Uses an existing `GtkWindow`, such as an `AdwApplicationWindow`. Adds it to the application if it belongs to
    /// none.
    public init(_ window: UnsafeMutablePointer<GtkWindow>) {
        self.window = window
        super.init()
        g_object_ref(window.raw)
        if gtk_window_get_application(window) == nil {
            gtk_window_set_application(window, GTKApplication.shared.application)
        }
        if let title = gtk_window_get_title(window) { self.title = String(cString: title) }
        follow()
    }

    isolated deinit {
        // A window that was never shown would keep the app running.
        if !isGone { gtk_window_destroy(window) }
        g_object_unref(window.raw)
    }

    // MARK: Content

    open override var title: String {
        didSet { gtk_window_set_title(window, title) }
    }

    /// A ``GTKViewController``'s widget becomes the content.
    open override var rootViewController: UIViewController? {
        didSet {
            guard oldValue !== rootViewController else { return }
            if let controller = rootViewController as? GTKViewController {
                content = controller.widget
            } else if oldValue is GTKViewController {
                content = nil
            }
        }
    }

    /// The content below the title bar. Replaces `gtk_window_set_child`, so that the window can show continuations
    /// above the content.
    public final var content: GTKWidget? {
        get { overlay.content }
        set { overlay.content = newValue }
    }

    /// Shows a message above the content until the user has read it. Nil hides it.
    public final func showMessage(_ text: String?) { overlay.showMessage(text) }

    /// GTK does not support a maximum.
    open override func sizeRestrictionsChanged(to restrictions: UISceneSizeRestrictions) {
        let least = restrictions.minimumSize
        // -1: what the content needs.
        func pixels(_ length: CGFloat) -> Int32 { length > 0 ? Int32(clamping: Int(min(length, 32_767))) : -1 }
        gtk_widget_set_size_request(window.cast(to: GtkWidget.self), pixels(least.width), pixels(least.height))
    }

    // MARK: Commands

    /// Shows the window in front, if the desktop allows it. It becomes the main window when it gets keyboard focus.
    open func orderFront(_ sender: Any?) {
        overlay.takeContent()
        UIApplication.shared.toolkit.windowOpened(self)
        gtk_window_present(window)
    }

    /// The same, but it becomes the main window at once, without keyboard focus. For windows that the user just
    /// requested.
    open override func makeKeyAndOrderFront(_ sender: Any?) {
        orderFront(sender)
        guard !isMainWindow else { return }
        UIApplication.shared.toolkit.windowBecameMain(self)
        becameMain()
    }

    /// Closes the window as its user would: ``shouldClose()`` is called.
    open override func close() { gtk_window_close(window) }

    /// Moves the focus to the controller's first widget that accepts it, unless it is there. False if none does.
    @discardableResult
    open override func makeFirstResponder(_ responder: UIResponder?) -> Bool {
        guard let controller = responder as? GTKViewController else { return super.makeFirstResponder(responder) }
        let isThere = GTKViewController.controller(of: gtk_window_get_focus(window)) === controller
        // `gtk_widget_grab_focus` would move the focus from a text to its scrolled window.
        guard isThere || gtk_widget_child_focus(controller.widget, GTK_DIR_TAB_FORWARD) != 0 else { return false }
        focusMoved()
        return true
    }

    // MARK: Events

    /// Whether the window may close now; called when the user or the app closes it. By default, saves the document or
    /// asks the user; the window may then close later. A subclass with more questions calls super last.
    open func shouldClose() -> Bool { documentMayClose() }

    /// The user turned to the window, or it moved to the front, perhaps as the main window already. Call super.
    open func becameMain() {}
    /// The user turned to another window, of this app or another. Call super.
    open func resignedMain() {}
    /// The window was closed. Call super.
    open func closed() {}

    private func follow() {
        onGTKSignal("notify::is-active", of: window.raw) { [weak self] _ in self?.turned() }
        onGTKSignal("notify::focus-widget", of: window.raw) { [weak self] _ in self?.focusMoved() }
        answerGTKSignal("close-request", of: window.raw) { [weak self] _ in !(self?.shouldClose() ?? true) }
        // `destroy` is emitted only without references, and this object has one.
        onGTKSignal("unrealize", of: window.raw) { [weak self] _ in self?.wasDestroyed() }
    }

    private func turned() {
        let toolkit = UIApplication.shared.toolkit
        if gtk_window_is_active(window) != 0 {
            toolkit.windowBecameMain(self)
            becameMain()
        } else if isMainWindow {
            toolkit.windowResignedMain(self)
            resignedMain()
        }
        GTKApplication.shared.windowsTurned()
    }

    /// With the focus outside any controller's widget, as in the title bar: the content's controller, or else the
    /// previous first responder.
    private func focusMoved() {
        guard !isGone else { return }
        let responder =
            GTKViewController.controller(of: gtk_window_get_focus(window)) ?? rootViewController ?? firstResponder
        if firstResponder !== responder { UIApplication.shared.toolkit.firstResponderChanged(to: responder, in: self) }
    }

    private func wasDestroyed() {
        guard !isGone else { return }
        isGone = true
        UIApplication.shared.toolkit.windowClosed(self)
        closed()
    }
}
#endif
