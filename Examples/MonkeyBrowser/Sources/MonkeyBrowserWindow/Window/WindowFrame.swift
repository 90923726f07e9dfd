// SPDX-License-Identifier: Apache-2.0

import HandoffGTK
import MonkeyBrowserModel

/// The widgets of a window and their events. It does not know the model.
@MainActor
final class WindowFrame {
    enum Event {
        case entered(String)
        case selected(Tab)
        case action(WindowAction.Plain)
    }

    /// Set once.
    var report: @MainActor (Event) -> Void = { _ in }
    let addressBar = AddressBar()
    private let stack: OpaquePointer
    private let tabAction: OpaquePointer
    private var actions: [WindowAction.Plain: OpaquePointer] = [:]

    static let size = (width: gint(1000), height: gint(720))

    init(of window: GTKWindow, _ pages: [(Tab, GTKWidget)]) {
        let (column, stack): (GTKWidget, GTKWidget) = (gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), gtk_stack_new())
        self.stack = stack.opaque
        let choice = TabChoice()
        tabAction = WindowAction.addTab(.weather, to: window.window.opaque) { choice.select($0) }
        for (tab, page) in pages { gtk_stack_add_named(stack.opaque, page, tab.activityType) }
        gtk_widget_set_vexpand(stack, 1)
        for child in [TabBar.widget(), stack] { gtk_box_append(column.cast(to: GtkBox.self), child) }
        window.content = column
        gtk_window_set_titlebar(window.window, header())
        gtk_window_set_default_size(window.window, Self.size.width, Self.size.height)

        choice.select = { [weak self] in self?.report(.selected($0)) }
        for action in WindowAction.Plain.allCases {
            actions[action] = window.addAction(action.rawValue, keys: action.keys) { [weak self] in
                self?.report(.action(action))
            }
        }
        addressBar.go = { [weak self] in self?.report(.entered($0)) }
    }

    // MARK: Content

    func show(_ tab: Tab) {
        gtk_stack_set_visible_child_name(stack, tab.activityType)
        g_simple_action_set_state(tabAction, g_variant_new_int32(gint(tab.rawValue)))
    }

    func enable(_ action: WindowAction.Plain, _ isEnabled: Bool) {
        if let known = actions[action] { g_simple_action_set_enabled(known, isEnabled ? 1 : 0) }
    }

    private func header() -> GTKWidget {
        let (header, menu): (GTKWidget, GTKWidget) = (gtk_header_bar_new(), gtk_menu_button_new())
        for (action, icon, label) in [
            (WindowAction.Plain.back, "go-previous-symbolic", "Back"), (.forward, "go-next-symbolic", "Forward"),
            (.reload, "view-refresh-symbolic", "Reload"),
        ] {
            let button: GTKWidget = gtk_button_new_from_icon_name(icon)
            gtk_actionable_set_action_name(button.opaque, "win.\(action.rawValue)")
            gtk_widget_set_tooltip_text(button, label)
            describeGTKWidget(button, as: label)
            gtk_header_bar_pack_start(header.opaque, button)
        }
        gtk_menu_button_set_icon_name(menu.opaque, "open-menu-symbolic")
        gtk_menu_button_set_menu_model(menu.opaque, WindowAction.menu().map { UnsafeMutablePointer($0) })
        gtk_widget_set_tooltip_text(menu, "Menu")
        describeGTKWidget(menu, as: "Menu")
        gtk_header_bar_pack_end(header.opaque, menu)
        gtk_header_bar_pack_end(header.opaque, addressBar.button)
        gtk_header_bar_set_title_widget(header.opaque, addressBar.entry)
        return header
    }
}

/// Forwards the choice of a tab: the action is created before the window.
@MainActor
private final class TabChoice {
    var select: @MainActor (Tab) -> Void = { _ in }
}
