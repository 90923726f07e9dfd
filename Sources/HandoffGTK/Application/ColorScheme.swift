// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffGTKCalls

/// Follows the desktop portal's choice of light or dark. GTK reads only its own settings.
@MainActor
enum ColorScheme {
    private static let portal = (
        name: "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop",
        interface: "org.freedesktop.portal.Settings"
    )
    private static let setting = (namespace: "org.freedesktop.appearance", key: "color-scheme")
    private static let (dark, light): (UInt32, UInt32) = (1, 2)
    private static let property = "gtk-application-prefer-dark-theme"

    static func follow() {
        g_dbus_proxy_new_for_bus(
            G_BUS_TYPE_SESSION, G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES, nil, portal.name, portal.path,
            portal.interface, nil, GTKAnswer.callback,
            GTKAnswer.data { result in
                // Otherwise GTK's own settings apply.
                guard let proxy = g_dbus_proxy_new_for_bus_finish(result, nil) else { return }
                listen(to: proxy)
                ask(proxy)
            })
    }

    private static func listen(to proxy: UnsafeMutablePointer<GDBusProxy>) {
        onGTKSignal("g-signal", of: proxy.raw) { values in
            guard values.text(1) == "SettingChanged", let change = values.variant(2) else { return }
            guard text(change, 0) == setting.namespace, text(change, 1) == setting.key else { return }
            apply(g_variant_get_child_value(change, 2))
        }
    }

    private static func ask(_ proxy: UnsafeMutablePointer<GDBusProxy>) {
        var words: [OpaquePointer?] = [g_variant_new_string(setting.namespace), g_variant_new_string(setting.key)]
        g_dbus_proxy_call(
            proxy, "Read", g_variant_new_tuple(&words, gsize(words.count)), G_DBUS_CALL_FLAGS_NONE, -1, nil,
            GTKAnswer.callback,
            GTKAnswer.data { result in
                guard let answer = g_dbus_proxy_call_finish(proxy, result, nil) else { return }
                apply(g_variant_get_child_value(answer, 0))
                g_variant_unref(answer)
            })
    }

    /// Takes ownership of a number in one or two variants.
    private static func apply(_ value: OpaquePointer?) {
        guard var value else { return }
        defer { g_variant_unref(value) }
        while String(cString: g_variant_get_type_string(value)) == "v" {
            guard let inner = g_variant_get_variant(value) else { return }
            g_variant_unref(value)
            value = inner
        }
        guard String(cString: g_variant_get_type_string(value)) == "u" else { return }
        set(g_variant_get_uint32(value))
    }

    private static func set(_ choice: UInt32) {
        guard let settings = gtk_settings_get_default() else { return }
        guard choice == dark || choice == light else { return gtk_settings_reset_property(settings, property) }
        var isDark = GValue()
        g_value_init(&isDark, FundamentalType.boolean)
        g_value_set_boolean(&isDark, choice == dark ? 1 : 0)
        g_object_set_property(settings.raw.assumingMemoryBound(to: GObject.self), property, &isDark)
        g_value_unset(&isDark)
    }

    private static func text(_ tuple: OpaquePointer, _ index: Int) -> String {
        guard let child = g_variant_get_child_value(tuple, gsize(index)) else { return "" }
        defer { g_variant_unref(child) }
        guard String(cString: g_variant_get_type_string(child)) == "s" else { return "" }
        return String(cString: g_variant_get_string(child, nil))
    }
}
#endif
