// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel

/// As an `AdwPreferencesPage`, under a pill with the number of activities that arrived out of sight.
@MainActor
final class ScrolledPage {
    let widget: GTKWidget = gtk_overlay_new()
    /// The pill, after the page was scrolled to its top.
    var pressed: @MainActor () -> Void = {}
    /// To the top, or away from it.
    var moved: @MainActor () -> Void = {}
    private(set) var isPointerOnPill = false
    private let scroller: GTKWidget = gtk_scrolled_window_new()
    private let pill: GTKWidget = gtk_button_new()
    private var arrivals = Arrivals()
    private var wasAtTop = true

    /// Pixels, those of an `AdwPreferencesPage`.
    private static let width = 600
    private static let spacing = 24
    /// Scrolled less than this, the first row is still visible.
    private static let topPixels = 24.0

    init(_ groups: [GTKWidget]) {
        let content = clamped(makeBox(GTK_ORIENTATION_VERTICAL, spacing: Self.spacing, groups), to: Self.width)
        gtk_widget_set_margin_top(content, gint(Self.spacing))
        gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(scroller.opaque, content)
        gtk_widget_set_vexpand(scroller, 1)
        for style in ["pill", "suggested-action", "handoff-arrivals"] { gtk_widget_add_css_class(pill, style) }
        onGTKSignal("clicked", of: pill.raw) { [weak self] _ in
            guard let self else { return }
            isPointerOnPill = false
            gtk_adjustment_set_value(adjustment, 0)
            pressed()
        }
        gtk_widget_set_halign(pill, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(pill, GTK_ALIGN_START)
        gtk_widget_set_margin_top(pill, 6)
        gtk_widget_set_visible(pill, 0)
        gtk_overlay_set_child(widget.opaque, scroller)
        gtk_overlay_add_overlay(widget.opaque, pill)
        if let adjustment {
            onGTKSignal("value-changed", of: adjustment.raw) { [weak self] _ in self?.scrolled() }
        }
        watchPointer()
    }

    private var adjustment: UnsafeMutablePointer<GtkAdjustment>? {
        gtk_scrolled_window_get_vadjustment(scroller.opaque)
    }

    var isAtTop: Bool { adjustment.map { gtk_adjustment_get_value($0) < Self.topPixels } ?? true }
    var isPillShown: Bool { gtk_widget_get_visible(pill) != 0 }

    func announce(_ lines: [ActivityLine], isInSight: Bool, _ strings: LocalizedStrings) {
        arrivals.listed(lines, isInSight: isInSight)
        let count = arrivals.count
        if count > 0 {
            let text = count == 1 ? strings[.oneNew] : strings(.manyNew, "\(count)")
            gtk_button_set_label(pill.cast(to: GtkButton.self), text)
            describeGTKWidget(pill, as: text)
        }
        if count == 0 { isPointerOnPill = false }
        gtk_widget_set_visible(pill, count > 0 ? 1 : 0)
    }

    private func scrolled() {
        guard isAtTop != wasAtTop else { return }
        wasAtTop = isAtTop
        moved()
    }

    private func watchPointer() {
        guard let motion = gtk_event_controller_motion_new() else { return }
        onGTKSignal("enter", of: motion.raw) { [weak self] _ in self?.isPointerOnPill = true }
        onGTKSignal("leave", of: motion.raw) { [weak self] _ in self?.isPointerOnPill = false }
        gtk_widget_add_controller(pill, motion)
    }
}
