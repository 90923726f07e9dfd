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
        row.add(dismissal)
        row.add(button)
        row.activate(button, label: strings[.continueHere])
    }

    func show(_ line: ActivityLine) {
        var emblem = line.emblem
        var isBusy = false
        var title = strings[.continueHere]
        switch line.standing {
        case .ready, .gone: break
        case .underWay: isBusy = true
        case .failed:
            emblem = .warning
            title = strings[.tryAgain]
        }
        picture.show(line.picture, emblem: emblem)
        row.show(title: line.title, details: line.details)
        gtk_button_set_label(button.cast(to: GtkButton.self), title)
        name(button, line.buttonLabel)
        if let label = line.dismissLabel { name(dismissal, label) }
        gtk_widget_set_visible(dismissal, line.dismissLabel == nil ? 0 : 1)
        gtk_widget_set_visible(button, isBusy ? 0 : 1)
        gtk_widget_set_visible(spinner, isBusy ? 1 : 0)
        gtk_spinner_set_spinning(spinner.opaque, isBusy ? 1 : 0)
        gtk_widget_set_sensitive(row.widget, line.standing == .gone ? 0 : 1)
    }
}
