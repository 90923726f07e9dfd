// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

/// The menu of the header bar. F10 opens it.
@MainActor
final class PrimaryMenu {
    let widget: GTKWidget = gtk_menu_button_new()
    private let daemon: WindowDaemonClient
    private let pauses = g_menu_new()
    private var shown: [Pause?] = []

    private static let manual = "man:handoff"

    init(_ daemon: WindowDaemonClient, root: String?, over window: GTKWidget) {
        self.daemon = daemon
        let strings = daemon.strings
        for pause in Pause.allCases { add(action: Self.action(pause), to: window.opaque) { _ in daemon.pause(pause) } }
        add(action: Self.action(nil), to: window.opaque) { _ in daemon.resume() }
        let menu = g_menu_new()
        let whole = g_menu_new()
        g_menu_append_section(whole, nil, Self.model(pauses))
        g_menu_append_section(whole, nil, Self.model(menu))
        g_menu_append(menu, strings[.findProblems], "win.problems")
        add(action: "problems", to: window.opaque) { _ in
            let pane = DoctorPane(root: root, strings)
            _ = PaneDialog.show(strings[.findProblems], pane.widget, over: window) { pane.close() }
        }
        g_menu_append(menu, strings[.shortcuts], "win.shortcuts")
        add(action: "shortcuts", to: window.opaque) { _ in Shortcut.showList(over: window, strings) }
        if Self.canShowManual {
            g_menu_append(menu, strings[.help], "win.help")
            add(action: "help", to: window.opaque) { _ in
                gtk_show_uri(window.cast(to: GtkWindow.self), Self.manual, guint32(GDK_CURRENT_TIME))
            }
        }
        g_menu_append(menu, strings[.about], "win.about")
        add(action: "about", to: window.opaque) { _ in Self.showAbout(over: window) }

        gtk_menu_button_set_icon_name(widget.opaque, Icon.menu.rawValue)
        gtk_menu_button_set_primary(widget.opaque, 1)
        gtk_widget_set_tooltip_text(widget, strings[.mainMenu])
        describeGTKWidget(widget, as: strings[.mainMenu])
        gtk_menu_button_set_menu_model(widget.opaque, Self.model(whole))
        for menu in [menu, whole].compactMap(\.self) { g_object_unref(menu.raw) }
    }

    isolated deinit { if let pauses { g_object_unref(pauses.raw) } }

    func show() {
        let items: [Pause?] =
            if daemon.face != .pages { [] } else if daemon.isPaused { [Pause?.none] } else if daemon.canPause {
                Pause.allCases
            } else { [] }
        // An open menu would lose its selection.
        guard items != shown else { return }
        shown = items
        g_menu_remove_all(pauses)
        for item in items {
            g_menu_append(pauses, daemon.strings[item?.title ?? .resume], "win." + Self.action(item))
        }
    }

    /// Nil: the end of the pause.
    private static func action(_ pause: Pause?) -> String {
        switch pause {
        case .hour?: "pause-hour"
        case .untilTomorrow?: "pause-until-tomorrow"
        case nil: "resume"
        }
    }

    private static func model(_ menu: OpaquePointer?) -> UnsafeMutablePointer<GMenuModel>? {
        menu?.raw.assumingMemoryBound(to: GMenuModel.self)
    }

    /// Only some desktops have a program for pages of the manual.
    private static var canShowManual: Bool {
        guard let reader = g_app_info_get_default_for_uri_scheme("man") else { return false }
        g_object_unref(reader.raw)
        return true
    }

    private static func showAbout(over window: GTKWidget) {
        let about: GTKWidget = adw_about_window_new()
        gtk_window_set_transient_for(about.cast(to: GtkWindow.self), window.cast(to: GtkWindow.self))
        adw_about_window_set_application_name(about.opaque, "Handoff")
        adw_about_window_set_application_icon(about.opaque, Icon.handoffInColour.rawValue)
        adw_about_window_set_developer_name(about.opaque, "The Handoff contributors")
        adw_about_window_set_version(about.opaque, DisplayText.softwareVersion)
        adw_about_window_set_license_type(about.opaque, GTK_LICENSE_APACHE_2_0)
        gtk_window_present(about.cast(to: GtkWindow.self))
    }
}
