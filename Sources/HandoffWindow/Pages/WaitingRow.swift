// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffGTKCalls
internal import HandoffWindowModel
internal import HandoffWords

/// A sent activity that has not been delivered, with a button to take it back.
@MainActor
struct WaitingRow {
    private let row = ActionRow(icon: .send)
    private let button: GTKWidget
    private let words: Words

    var widget: GTKWidget { row.widget }

    init(_ words: Words, tookBack: @escaping @MainActor () -> Void) {
        self.words = words
        button = makeButton(words[.takeBack], tookBack)
        row.add(button)
    }

    func show(_ line: WaitingSends.Line) {
        row.show(title: line.title, details: line.details, icon: line.isRefused ? .warning : .send)
        gtk_button_set_label(button.cast(to: GtkButton.self), words[line.isRefused ? .dismiss : .takeBack])
        name(button, line.buttonLabel)
    }
}
