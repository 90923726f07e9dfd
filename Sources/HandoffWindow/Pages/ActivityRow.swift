// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel

@MainActor
final class ActivityRow {
    private let picture = PictureWithEmblem()
    private let row: ActionRow
    private let button: GTKWidget
    private let dismissal: GTKWidget
    private let spinner: GTKWidget = gtk_spinner_new()
    private let strings: LocalizedStrings

    var widget: GTKWidget { row.widget }

    init(
        _ strings: LocalizedStrings, pressed: @escaping @MainActor () -> Void,
        dismissed: @escaping @MainActor () -> Void
    ) {
        self.strings = strings
        row = ActionRow(prefix: picture.widget)
        button = makeButton(strings[.continueHere], pressed)
        dismissal = makeButton(icon: .close, label: strings[.dismiss], dismissed)
        row.add(spinner)
        row.add(button)
        row.add(dismissal)
    }

    func show(_ line: ActivityLine) {
        var emblem = line.emblem
        var title = strings[.continueHere]
        if case .failed = line.standing { (emblem, title) = (.warning, strings[.tryAgain]) }
        picture.show(line.picture, emblem: emblem)
        row.show(title: line.title, details: line.details)
        gtk_button_set_label(button.cast(to: GtkButton.self), title)
        // Nothing moves while the pointer is over the list.
        let hasButton = line.isPressable || line.standing == .gone
        if hasButton { row.activate(button, label: line.buttonLabel) } else { row.activateNothing() }
        if let label = line.dismissLabel { name(dismissal, label) }
        let isBusy = line.standing == .underWay
        gtk_widget_set_visible(dismissal, line.dismissLabel == nil ? 0 : 1)
        gtk_widget_set_visible(button, hasButton ? 1 : 0)
        gtk_widget_set_visible(spinner, isBusy ? 1 : 0)
        gtk_spinner_set_spinning(spinner.opaque, isBusy ? 1 : 0)
        gtk_widget_set_sensitive(row.widget, line.isPressable || isBusy || line.dismissLabel != nil ? 1 : 0)
    }
}

extension BoxedList<ActivityLine.ID, ActivityRow> {
    func show(_ lines: [ActivityLine], _ daemon: WindowDaemonClient) {
        show(
            lines, id: { $0.id },
            make: { line in
                let row = ActivityRow(
                    daemon.strings, pressed: { daemon.press(line.id) }, dismissed: { daemon.dismiss(line.id) })
                return (row, row.widget)
            }, fill: { $0.show($1) })
    }
}
