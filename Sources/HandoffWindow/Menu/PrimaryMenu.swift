// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

/// The menu of the header bar. F10 opens it.
@MainActor
struct PrimaryMenu {
    let widget: GTKWidget = gtk_menu_button_new()

    private static let manual = "man:handoff"

    init(_ strings: LocalizedStrings, over window: GTKWidget) {
        let menu = g_menu_new()
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
        gtk_menu_button_set_menu_model(widget.opaque, menu.map { $0.raw.assumingMemoryBound(to: GMenuModel.self) })
        if let menu { g_object_unref(menu.raw) }
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
