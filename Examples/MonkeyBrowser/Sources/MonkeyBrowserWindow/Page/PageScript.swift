// SPDX-License-Identifier: Apache-2.0

import CWebKitGTK
import HandoffGTK

/// The scripts that talk to pages. They run in a separate script world, which the page's scripts cannot reach.
@MainActor
enum PageScript {
    private static let world = "MonkeyBrowser"
    private static let scrolled = "scrolled"

    /// Reports that the page was scrolled, but not its position, and not every time. The position is read when needed.
    private static let watch = """
        let pending = false;
        addEventListener('scroll', () => {
            if (pending) return;
            pending = true;
            setTimeout(() => { pending = false; webkit.messageHandlers.\(scrolled).postMessage(''); }, 100);
        }, { passive: true });
        """

    /// For a new web view.
    static func contentManager() -> OpaquePointer {
        guard let manager = webkit_user_content_manager_new() else {
            preconditionFailure("WebKit makes a content manager")
        }
        let script = webkit_user_script_new_for_world(
            watch, WEBKIT_USER_CONTENT_INJECT_TOP_FRAME, WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, world, nil, nil)
        webkit_user_content_manager_add_script(manager, script)
        webkit_user_script_unref(script)
        return manager
    }

    /// Call once for each manager.
    static func onScroll(_ manager: OpaquePointer, _ act: @escaping @MainActor () -> Void) {
        onGTKSignal("script-message-received::\(scrolled)", of: manager.raw) { _ in act() }
        _ = webkit_user_content_manager_register_script_message_handler(manager, scrolled, world)
    }

    /// The script's value as text; nil if it fails.
    static func evaluate(
        _ script: String, in view: UnsafeMutablePointer<WebKitWebView>,
        _ answer: @escaping @MainActor (String?) -> Void
    ) {
        webkit_web_view_evaluate_javascript(
            view, script, -1, world, nil, nil, GTKAnswer.callback,
            GTKAnswer.data { result in
                guard let value = webkit_web_view_evaluate_javascript_finish(view, result, nil) else {
                    return answer(nil)
                }
                let text = jsc_value_to_string(value)
                answer(text.map { String(cString: $0) })
                g_free(text)
                g_object_unref(value.raw)
            })
    }
}
