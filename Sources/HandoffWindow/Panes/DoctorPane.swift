// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffSystem
internal import HandoffWindowModel

@MainActor
final class DoctorPane {
    let widget: GTKWidget
    private let strings: LocalizedStrings
    private let command: [String]
    private let progress: GTKWidget
    private let summary = makeLabel()
    private let list: BoxedList<DoctorLine, ActionRow>
    private let again: GTKWidget
    private var program: OpaquePointer?

    init(root: String?, _ strings: LocalizedStrings) {
        self.strings = strings
        let folder = "/proc/self/exe".linkTarget()?.parent ?? ""
        let beside = "\(folder)/handoff"
        command =
            [g_file_test(beside, G_FILE_TEST_IS_EXECUTABLE) != 0 ? beside : "handoff", "doctor", "--json"]
            + (root.map { ["--root", $0] } ?? [])
        progress = waiting(strings[.checking])
        list = BoxedList(label: strings[.findProblems])
        again = gtk_button_new_with_label(strings[.tryAgain])
        gtk_widget_set_halign(again, GTK_ALIGN_CENTER)
        widget = clamped(
            makeBox(GTK_ORIENTATION_VERTICAL, spacing: 18, [progress, summary, list.widget, again]), to: 600)
        onGTKSignal("clicked", of: again.raw) { [weak self] _ in self?.examine() }
        examine()
    }

    func close() {
        guard let program else { return }
        g_subprocess_force_exit(program)
        g_object_unref(program.raw)
        self.program = nil
    }

    private func examine() {
        close()
        gtk_widget_set_visible(progress, 1)
        gtk_widget_set_visible(summary, 0)
        gtk_widget_set_visible(again, 0)
        let flags = GSubprocessFlags(
            G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue | G_SUBPROCESS_FLAGS_STDERR_SILENCE.rawValue)
        let words = command.map { strdup($0) }
        defer { words.forEach { free($0) } }
        let arguments = words.map { UnsafePointer($0) } + [nil]
        guard let started = g_subprocess_newv(arguments, flags, nil) else { return show(nil) }
        program = started
        g_subprocess_communicate_utf8_async(
            started, nil, nil, GTKAnswer.callback,
            GTKAnswer.data { [weak self] result in
                var output: UnsafeMutablePointer<gchar>?
                let isRead = g_subprocess_communicate_utf8_finish(started, result, &output, nil, nil) != 0
                defer { g_free(output) }
                guard let self, program == started else { return }
                show(isRead ? output.flatMap { DoctorLine.read(String(cString: $0)) } : nil)
            })
    }

    /// Nil: the command could not be run.
    private func show(_ lines: [DoctorLine]?) {
        gtk_widget_set_visible(progress, 0)
        gtk_widget_set_visible(again, 1)
        let failed = lines?.count { $0.result == .failed } ?? 0
        let sentence = lines == nil ? strings[.checkNotRun] : failed == 0 ? strings[.noProblems] : ""
        gtk_label_set_text(summary.opaque, sentence)
        gtk_widget_set_visible(summary, sentence.isEmpty ? 0 : 1)
        list.show(lines ?? [], id: { $0 }) { line in
            let row = ActionRow(icon: line.icon)
            return (row, row.widget)
        } fill: { row, line in
            row.show(title: line.seen, details: line.advice)
            let words = [line.label(strings), line.seen, line.advice].filter { !$0.isEmpty }
            name(row.widget, words.joined(separator: ", "))
        }
    }
}
