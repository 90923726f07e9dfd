// SPDX-License-Identifier: Apache-2.0

import HandoffGTK
import MonkeyBrowserModel

/// The actions of a window and of the app, for keys, buttons and menus.
enum WindowAction {
    /// Its parameter and its state are the tab's number.
    static let tab = "tab"

    enum Plain: String, CaseIterable {
        case address, back, forward, reload, close

        var keys: [String] {
            switch self {
            case .address: ["<Control>l", "F6"]
            case .back: ["<Alt>Left"]
            case .forward: ["<Alt>Right"]
            case .reload: ["<Control>r", "F5"]
            case .close: ["<Control>w"]
            }
        }
    }

    enum OfApp: String, CaseIterable {
        case window, quit

        var keys: [String] {
            switch self {
            case .window: ["<Control>n"]
            case .quit: ["<Control>q"]
            }
        }
    }

    /// The menu of a window.
    @MainActor
    static func menu() -> OpaquePointer? {
        let menu = g_menu_new()
        for (label, action) in [
            ("New Window", "app.\(OfApp.window.rawValue)"), ("Reload", "win.\(Plain.reload.rawValue)"),
            ("Close Window", "win.\(Plain.close.rawValue)"), ("Quit", "app.\(OfApp.quit.rawValue)"),
        ] {
            g_menu_append(menu, label, action)
        }
        return menu
    }

    /// The keys of the tabs. The keys of the other actions are set where the actions are added.
    @MainActor
    static func setTabKeys() {
        for number in Tab.allCases.map(\.rawValue) {
            GTKApplication.shared.setKeys(["<Control>\(number)", "<Control>KP_\(number)"], of: "win.\(tab)(\(number))")
        }
    }

    /// Adds the action of the tabs. The result sets its state.
    @MainActor
    static func addTab(
        _ selected: Tab, to map: OpaquePointer, _ select: @escaping @MainActor (Tab) -> Void
    ) -> OpaquePointer {
        let type = g_variant_type_new("i")
        defer { g_variant_type_free(type) }
        guard let action = g_simple_action_new_stateful(tab, type, g_variant_new_int32(gint(selected.rawValue))) else {
            preconditionFailure("GLib makes an action")
        }
        onGTKSignal("activate", of: action.raw) { values in
            guard let chosen = values.variant(0), let tab = Tab(rawValue: Int(g_variant_get_int32(chosen))) else {
                return
            }
            select(tab)
        }
        // Without this a button would change the state directly.
        onGTKSignal("change-state", of: action.raw) { _ in }
        g_action_map_add_action(map, action)
        g_object_unref(action.raw)
        return action
    }
}
