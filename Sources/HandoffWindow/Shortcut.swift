// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings

struct Shortcut {
    /// In GTK's notation.
    let keys: [String]
    /// With its prefix. Nil: GTK handles the key.
    let action: String?
    let title: Word

    static let all = [
        Shortcut(keys: ["<Control>1"], action: "win.activities", title: .activities),
        Shortcut(keys: ["<Control>2"], action: "win.devices", title: .devices),
        Shortcut(keys: ["<Control>3"], action: "win.settings", title: .settings),
        Shortcut(keys: ["<Control>f"], action: "win.search", title: .search),
        Shortcut(keys: ["<Control>n"], action: "win.invite", title: .addDevice),
        Shortcut(keys: ["F10"], action: nil, title: .mainMenu),
        Shortcut(keys: ["<Control>question"], action: "win.shortcuts", title: .shortcuts),
        Shortcut(keys: ["<Control>w", "<Control>q"], action: "window.close", title: .shortcutClose),
    ]

    @MainActor
    static func set(in application: UnsafeMutablePointer<GtkApplication>) {
        for shortcut in all {
            if let action = shortcut.action { setKeys(shortcut.keys, of: action, in: application) }
        }
    }

    /// GTK 4.8 builds this list from XML only.
    @MainActor
    static func showList(over window: GTKWidget, _ strings: LocalizedStrings) {
        let rows = all.map { shortcut in
            """
            <child><object class="GtkShortcutsShortcut">
            <property name="accelerator">\(escaped(shortcut.keys.joined(separator: " ")))</property>
            <property name="title">\(escaped(strings[shortcut.title]))</property>
            </object></child>
            """
        }
        let description = """
            <interface><object class="GtkShortcutsWindow" id="list"><property name="modal">1</property>
            <child><object class="GtkShortcutsSection"><child><object class="GtkShortcutsGroup">
            \(rows.joined(separator: "\n"))
            </object></child></object></child></object></interface>
            """
        guard let builder = gtk_builder_new_from_string(description, -1) else { return }
        defer { g_object_unref(builder.raw) }
        guard let list = gtk_builder_get_object(builder, "list")?.cast(to: GtkWindow.self) else { return }
        gtk_window_set_transient_for(list, window.cast(to: GtkWindow.self))
        gtk_window_present(list)
    }
}
