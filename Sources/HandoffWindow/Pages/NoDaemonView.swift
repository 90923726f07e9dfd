// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffClient
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel

@MainActor
final class NoDaemonView {
    let widget: GTKWidget
    private let daemon: WindowDaemonClient
    private let start: GTKWidget
    private let progress = waiting("")
    private let problem = makeLabel(styles: ["error"])

    init(_ daemon: WindowDaemonClient) {
        self.daemon = daemon
        let strings = daemon.strings
        start = makeButton(strings[.start], styles: ["pill", "suggested-action"]) { daemon.startDaemon() }
        gtk_widget_set_halign(start, GTK_ALIGN_CENTER)
        let command = makeLabel(strings(.startInTerminal, DaemonStart.serviceCommand), styles: ["dim-label"])
        gtk_label_set_selectable(command.opaque, 1)
        gtk_widget_set_focusable(command, 0)
        widget = makeStatusPage(
            strings[.noDaemonHeading], strings[.noDaemonBody], icon: .offline,
            child: clamped(
                makeBox(GTK_ORIENTATION_VERTICAL, spacing: 18, [start, progress, problem, command])))
        show()
    }

    func show() {
        let isStarting = daemon.serviceStart == .starting
        let sentence = daemon.serviceStart.sentence(daemon.strings)
        gtk_widget_set_visible(start, daemon.canStartDaemon && !isStarting ? 1 : 0)
        gtk_widget_set_visible(progress, isStarting ? 1 : 0)
        gtk_label_set_text(problem.opaque, sentence ?? "")
        gtk_widget_set_visible(problem, sentence == nil ? 0 : 1)
    }
}
