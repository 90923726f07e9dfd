// SPDX-License-Identifier: Apache-2.0

import CXCB
import Glibc

/// The focus of an X11 session, by the window manager's `_NET_ACTIVE_WINDOW`.
enum XFocus {
    private static let active = "_NET_ACTIVE_WINDOW"

    /// Blocks while the display runs, even if the X server hangs. Calls `focused` with the process of the window that
    /// has the focus, then of each that gets it. False if no window manager can be followed.
    static func follow(_ focused: (Int32) -> Void) -> Bool {
        var screen: CInt = 0
        guard let display = xcb_connect(nil, &screen) else { return false }
        defer { xcb_disconnect(display) }
        guard xcb_connection_has_error(display) == 0, knowsProcesses(display),
            let root = root(of: display, screen), let active = atom(active, display)
        else { return false }
        var events = XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
        xcb_change_window_attributes(display, root, XCB_CW_EVENT_MASK.rawValue, &events)
        func report() {
            guard let window = window(in: active, of: root, display), let process = process(of: window, display) else {
                return
            }
            focused(process)
        }
        report()
        while let event = xcb_wait_for_event(display) {
            defer { free(event) }
            guard event.pointee.response_type & 0x7F == XCB_PROPERTY_NOTIFY else { continue }
            let changed = event.withMemoryRebound(to: xcb_property_notify_event_t.self, capacity: 1) { $0.pointee.atom }
            if changed == active { report() }
        }
        return true
    }

    /// The extension names the process as the kernel does. A window could claim any.
    private static func knowsProcesses(_ display: OpaquePointer) -> Bool {
        guard let version = xcb_res_query_version_reply(display, xcb_res_query_version(display, 1, 2), nil) else {
            return false
        }
        defer { free(version) }
        return (version.pointee.server_major, version.pointee.server_minor) >= (1, 2)
    }

    private static func root(of display: OpaquePointer, _ number: CInt) -> xcb_window_t? {
        var screens = xcb_setup_roots_iterator(xcb_get_setup(display))
        for _ in 0..<max(0, number) { xcb_screen_next(&screens) }
        return screens.rem > 0 ? screens.data?.pointee.root : nil
    }

    private static func atom(_ name: String, _ display: OpaquePointer) -> xcb_atom_t? {
        let question = xcb_intern_atom(display, 0, UInt16(name.utf8.count), name)
        guard let answer = xcb_intern_atom_reply(display, question, nil) else { return nil }
        defer { free(answer) }
        return answer.pointee.atom
    }

    /// Nil: no window has the focus.
    private static func window(
        in property: xcb_atom_t, of root: xcb_window_t, _ display: OpaquePointer
    ) -> xcb_window_t? {
        let question = xcb_get_property(display, 0, root, property, XCB_ATOM_WINDOW.rawValue, 0, 1)
        guard let answer = xcb_get_property_reply(display, question, nil) else { return nil }
        defer { free(answer) }
        guard answer.pointee.format == 32, xcb_get_property_value_length(answer) == 4,
            let window = xcb_get_property_value(answer)?.load(as: xcb_window_t.self)
        else { return nil }
        return window == 0 ? nil : window
    }

    private static func process(of window: xcb_window_t, _ display: OpaquePointer) -> Int32? {
        var wanted = xcb_res_client_id_spec_t(
            client: window, mask: XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID.rawValue)
        let question = xcb_res_query_client_ids(display, 1, &wanted)
        guard let answer = xcb_res_query_client_ids_reply(display, question, nil) else { return nil }
        defer { free(answer) }
        let ids = xcb_res_query_client_ids_ids_iterator(answer)
        guard ids.rem > 0, xcb_res_client_id_value_value_length(ids.data) >= 1,
            let process = xcb_res_client_id_value_value(ids.data)?.pointee
        else { return nil }
        return Int32(exactly: process)
    }
}
