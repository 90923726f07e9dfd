// SPDX-License-Identifier: Apache-2.0

import HandoffGTK
import MonkeyBrowserModel

/// The four tabs, one button each. The selected tab is the state of the window's action.
@MainActor
enum TabBar {
    static func widget() -> GTKWidget {
        let bar: GTKWidget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        gtk_box_set_homogeneous(bar.cast(to: GtkBox.self), 1)
        gtk_widget_add_css_class(bar, "tabs")
        gtk_widget_add_css_class(bar, "linked")
        for tab in Tab.allCases { gtk_box_append(bar.cast(to: GtkBox.self), button(for: tab)) }
        return bar
    }

    private static func button(for tab: Tab) -> GTKWidget {
        let button: GTKWidget = gtk_toggle_button_new()
        let content: GTKWidget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8)
        gtk_box_append(content.cast(to: GtkBox.self), gtk_image_new_from_icon_name(tab.iconName))
        gtk_box_append(content.cast(to: GtkBox.self), gtk_label_new(tab.name))
        gtk_widget_set_halign(content, GTK_ALIGN_CENTER)
        gtk_button_set_child(button.cast(to: GtkButton.self), content)
        gtk_widget_set_tooltip_text(button, "\(tab.activityTitle) (Ctrl+\(tab.rawValue))")
        describeGTKWidget(button, as: tab.activityTitle)
        gtk_actionable_set_action_name(button.opaque, "win.\(WindowAction.tab)")
        gtk_actionable_set_action_target_value(button.opaque, g_variant_new_int32(gint(tab.rawValue)))
        return button
    }
}

extension Tab {
    /// An icon of the desktop's theme, or of our bundle.
    var iconName: String {
        switch self {
        case .weather: "weather-few-clouds-symbolic"
        case .favorite: "emblem-favorite-symbolic"
        case .coffeeBreak: "coffee-break-symbolic"
        case .work: "x-office-document-symbolic"
        }
    }
}
