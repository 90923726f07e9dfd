// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffGTKCalls

@MainActor
struct Question {
    enum Kind { case plain, suggested, destructive }

    private let text: String
    private let detail: String
    private let answers: [(label: String, kind: Kind)]

    /// The last is the default for Return.
    init(_ text: String, detail: String, answers: [(label: String, kind: Kind)]) {
        self.text = text
        self.detail = detail
        self.answers = answers
    }

    /// `done` is called once with the answer's index, or nil.
    func ask(over window: UnsafeMutablePointer<GtkWindow>, done: @escaping @MainActor (Int?) -> Void) {
        guard let made = g_object_new_with_properties(gtk_message_dialog_get_type(), 0, nil, nil) else {
            return done(nil)
        }
        let object = UnsafeMutableRawPointer(made)
        let dialog = object.assumingMemoryBound(to: GtkDialog.self)
        setProperty("text", of: object, to: text)
        setProperty("secondary-text", of: object, to: detail)
        setProperty("title", of: object, to: text)
        for (index, answer) in answers.enumerated() {
            let button = gtk_dialog_add_button(dialog, answer.label, gint(index))
            switch answer.kind {
            case .plain: break
            case .suggested: gtk_widget_add_css_class(button, "suggested-action")
            case .destructive: gtk_widget_add_css_class(button, "destructive-action")
            }
        }
        gtk_dialog_set_default_response(dialog, gint(answers.count - 1))
        let itsWindow = dialog.cast(to: GtkWindow.self)
        gtk_window_set_transient_for(itsWindow, window)
        gtk_window_set_modal(itsWindow, 1)
        let count = answers.count
        onGTKSignal("response", of: object) { values in
            let answer = values.integer(0)
            gtk_window_destroy(itsWindow)
            done((0..<count).contains(answer) ? answer : nil)
        }
        gtk_window_present(itsWindow)
    }
}
#endif
