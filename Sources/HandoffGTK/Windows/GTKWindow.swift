// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
public import CGTK
public import HandoffGTKCalls
internal import Foundation
public import HandoffApp

/// A window of GTK's. What GTK says of it, that it is in front, where the focus is, that it is gone, the framework hears.
///
/// ```swift
/// let window = GTKWindow()
/// window.title = "Chapter 3"
/// window.rootViewController = PageController()
/// window.makeKeyAndOrderFront(nil)
/// ```
///
/// It stays until it is closed. Closing one with a document saves it first, or asks (``shouldClose()``).
@preconcurrency @MainActor
open class GTKWindow: UIWindow {
    /// GTK's own, for all that is not here. Retained.
    public let window: UnsafeMutablePointer<GtkWindow>
    private(set) lazy var overlay = WindowOverlay(in: self)
    private var isGone = false
    /// The question whether to save is on the screen.
    var isAsking = false
    /// It was answered: the next time nobody asks.
    var mayCloseUnsaved = false

    /// A new `GtkApplicationWindow` of the app.
    public override convenience init() {
        self.init(gtk_application_window_new(GTKApplication.shared.application).cast(to: GtkWindow.self))
    }

    /// A new one, in a scene.
    public override convenience init(windowScene: UIWindowScene) {
        self.init()
        self.windowScene = windowScene
    }

    /// For a window that is there: any `GtkWindow`, an `AdwApplicationWindow` too. The application is told of it if it is
    /// of none yet.
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
        // One that was never shown would keep the app running.
        if !isGone { gtk_window_destroy(window) }
        g_object_unref(window.raw)
    }

    // MARK: What it shows

    open override var title: String {
        didSet { gtk_window_set_title(window, title) }
    }

    /// One for a widget (``GTKViewController``) brings it into the window.
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

    /// What is in the window, below its title bar. Set instead of `gtk_window_set_child`, it goes below what the window
    /// itself shows of a continuation.
    public final var content: GTKWidget? {
        get { overlay.content }
        set { overlay.content = newValue }
    }

    /// Says something to the user until they have read it, above the content: what went wrong. Nil: no more.
    public final func showMessage(_ text: String?) { overlay.showMessage(text) }

    /// GTK keeps the least size, and knows no greatest one.
    open override func sizeRestrictionsChanged(to restrictions: UISceneSizeRestrictions) {
        let least = restrictions.minimumSize
        // -1: what is in the window needs.
        func pixels(_ length: CGFloat) -> Int32 { length > 0 ? Int32(clamping: Int(min(length, 32_767))) : -1 }
        gtk_widget_set_size_request(window.cast(to: GtkWidget.self), pixels(least.width), pixels(least.height))
    }

    // MARK: What it is told

    /// Shows it in front, where the desktop lets it be there. It becomes the main one when it gets the keyboard.
    open func orderFront(_ sender: Any?) {
        overlay.takeContent()
        UIApplication.shared.toolkit.windowOpened(self)
        gtk_window_present(window)
    }

    /// The same, and it is the main one at once, whoever has the keyboard: for what its user has just asked for.
    open override func makeKeyAndOrderFront(_ sender: Any?) {
        orderFront(sender)
        guard !isMainWindow else { return }
        UIApplication.shared.toolkit.windowBecameMain(self)
        becameMain()
    }

    /// Closes it as its user would: ``shouldClose()`` is asked.
    open override func close() { gtk_window_close(window) }

    /// Gives the focus to the first widget of the controller's that takes it, unless it is there already. False if none
    /// does.
    @discardableResult
    open override func makeFirstResponder(_ responder: UIResponder?) -> Bool {
        guard let controller = responder as? GTKViewController else { return super.makeFirstResponder(responder) }
        let isThere = GTKViewController.controller(of: gtk_window_get_focus(window)) === controller
        // Not `gtk_widget_grab_focus`: a scrolled window would take it from the text in it.
        guard isThere || gtk_widget_child_focus(controller.widget, GTK_DIR_TAB_FORWARD) != 0 else { return false }
        focusMoved()
        return true
    }

    // MARK: What becomes of it

    /// Whether it is to close now, when its user or the app wants it closed. The default saves the document first or asks
    /// about it, as the document wants it; then the window closes later, or not. A subclass that has more to ask calls
    /// super last.
    open func shouldClose() -> Bool { documentMayClose() }

    /// The user turned to it, or it was brought to the front; perhaps it was the main one before. Call super.
    open func becameMain() {}
    /// The user turned to another window, of this app or of another. Call super.
    open func resignedMain() {}
    /// It is gone. Call super.
    open func closed() {}

    private func follow() {
        onGTKSignal("notify::is-active", of: window.raw) { [weak self] _ in self?.turned() }
        onGTKSignal("notify::focus-widget", of: window.raw) { [weak self] _ in self?.focusMoved() }
        answerGTKSignal("close-request", of: window.raw) { [weak self] _ in !(self?.shouldClose() ?? true) }
        // `destroy` comes when nobody holds it any more, which this object does.
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

    /// Where the focus is in none of the controllers' widgets, as in the title bar, the content counts, else the one before.
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
