// SPDX-License-Identifier: Apache-2.0

import CWebKitGTK
import Foundation
import HandoffGTK
import MonkeyBrowserModel

/// One tab's page: a web view, a placeholder if there is no page, and a progress overlay over both.
@MainActor
final class PageView {
    enum Event {
        /// A new page replaces the previous one.
        case moved(String)
        case titled(String)
        /// From 0 to 1.
        case progress(Double)
        case loaded
        case failed(address: String, reason: String)
        case scrolled
    }

    /// Receives the events. Set once, before anything is loaded.
    var report: @MainActor (Event) -> Void = { _ in }
    let widget: GTKWidget
    private let tab: Tab
    private let stack: OpaquePointer
    private let empty = EmptyPage()
    private let busy = BusyOverlay()
    private let webView: UnsafeMutablePointer<WebKitWebView>
    private let webWidget: GTKWidget
    private var hasFailed = false

    /// The names of the parts in the stack.
    private static let parts = (empty: "empty", page: "page")

    init(_ tab: Tab, in session: OpaquePointer) {
        self.tab = tab
        let content = PageScript.contentManager()
        let view = newObject(
            webkit_web_view_get_type(),
            [
                "network-session": (webkit_network_session_get_type(), session),
                "user-content-manager": (webkit_user_content_manager_get_type(), content),
            ])
        webView = view.assumingMemoryBound(to: WebKitWebView.self)
        webWidget = view.assumingMemoryBound(to: GtkWidget.self)
        let (overlay, stack): (GTKWidget, GTKWidget) = (gtk_overlay_new(), gtk_stack_new())
        self.stack = stack.opaque
        widget = overlay
        gtk_stack_add_named(stack.opaque, empty.widget, Self.parts.empty)
        gtk_stack_add_named(stack.opaque, webWidget, Self.parts.page)
        gtk_overlay_set_child(overlay.opaque, stack)
        gtk_overlay_add_overlay(overlay.opaque, busy.widget)
        describeGTKWidget(webWidget, as: "Page of \(tab.name)")
        showEmpty()
        PageScript.onScroll(content) { [weak self] in self?.report(.scrolled) }
        follow()
    }

    // MARK: Actions

    func load(_ address: PageAddress) {
        gtk_stack_set_visible_child_name(stack, Self.parts.page)
        webkit_web_view_load_uri(webView, address.description)
    }

    /// Removes the page.
    func clear() {
        webkit_web_view_load_uri(webView, "about:blank")
        showEmpty()
    }

    private func showEmpty() {
        empty.show(
            icon: tab.iconName, title: tab.name, detail: "Type an address: your other devices can continue its page.")
        gtk_stack_set_visible_child_name(stack, Self.parts.empty)
    }

    func showBusy(_ text: String?) { busy.show(text) }
    func goBack() { webkit_web_view_go_back(webView) }
    func goForward() { webkit_web_view_go_forward(webView) }
    func reload() { webkit_web_view_reload(webView) }
    func takeFocus() { gtk_widget_grab_focus(webWidget) }

    var canGoBack: Bool { webkit_web_view_can_go_back(webView) != 0 }
    var canGoForward: Bool { webkit_web_view_can_go_forward(webView) != 0 }

    /// Reads the page's position and title, after scrolling if a position is given. Nil if the page does not answer.
    func read(
        afterScrollingTo position: ScrollPosition? = nil, _ answer: @escaping @MainActor (PageReading?) -> Void
    ) {
        let question = position.map(PageReading.question(afterScrollingTo:)) ?? PageReading.question
        PageScript.evaluate(question, in: webView) { answer($0.flatMap(PageReading.init)) }
    }

    // MARK: Events

    private func follow() {
        onGTKSignal("load-changed", of: webView.raw) { [weak self] in
            self?.loadChanged(to: WebKitLoadEvent($0.number(0)))
        }
        answerGTKSignal("load-failed", of: webView.raw) { [weak self] values in
            self?.loadFailed(address: values.text(1), values.boxed(2))
            // We show the error ourselves.
            return true
        }
        onGTKSignal("notify::title", of: webView.raw) { [weak self] _ in
            guard let self, let title = webkit_web_view_get_title(webView) else { return }
            report(.titled(String(cString: title)))
        }
        onGTKSignal("notify::estimated-load-progress", of: webView.raw) { [weak self] _ in
            guard let self else { return }
            report(.progress(webkit_web_view_get_estimated_load_progress(webView)))
        }
        onGTKSignal("web-process-terminated", of: webView.raw) { [weak self] _ in
            self?.failed(address: self?.address ?? "", reason: "the page has ended unexpectedly")
        }
        // A link that opens a new window is opened here, because each tab has its own purpose.
        answerGTKSignal("decide-policy", of: webView.raw) { [weak self] values in
            guard values.number(1) == WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION.rawValue,
                let decision = values.object(0)
            else { return false }
            let action = webkit_navigation_policy_decision_get_navigation_action(OpaquePointer(decision))
            let request = webkit_navigation_action_get_request(action)
            if let self, let address = webkit_uri_request_get_uri(request) {
                webkit_web_view_load_uri(webView, address)
            }
            webkit_policy_decision_ignore(decision.assumingMemoryBound(to: WebKitPolicyDecision.self))
            return true
        }
    }

    private var address: String? { webkit_web_view_get_uri(webView).map { String(cString: $0) } }

    private func loadChanged(to step: WebKitLoadEvent) {
        switch step {
        case WEBKIT_LOAD_STARTED: hasFailed = false
        case WEBKIT_LOAD_COMMITTED:
            guard let address, address.hasPrefix("http") else { return }
            gtk_stack_set_visible_child_name(stack, Self.parts.page)
            report(.moved(address))
        case WEBKIT_LOAD_FINISHED:
            // Also emitted after a failure.
            if !hasFailed { report(.loaded) }
        default: break
        }
    }

    private func loadFailed(address: String, _ error: UnsafeMutableRawPointer?) {
        guard let error = error?.assumingMemoryBound(to: GError.self) else { return }
        // Another page was requested before this one loaded.
        if g_error_matches(error, webkit_network_error_quark(), gint(WEBKIT_NETWORK_ERROR_CANCELLED.rawValue)) != 0 {
            return
        }
        failed(address: address, reason: String(cString: error.pointee.message))
    }

    private func failed(address: String, reason: String) {
        hasFailed = true
        empty.show(icon: "dialog-warning-symbolic", title: "This page cannot be shown", detail: "\(address)\n\(reason)")
        gtk_stack_set_visible_child_name(stack, Self.parts.empty)
        report(.failed(address: address, reason: reason))
    }
}
