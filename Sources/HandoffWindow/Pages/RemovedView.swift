// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel

@MainActor
final class RemovedView {
    let widget: GTKWidget
    private let daemon: WindowDaemonClient

    init(_ daemon: WindowDaemonClient) {
        self.daemon = daemon
        let strings = daemon.strings
        let button = makeButton(strings[.startOver], styles: ["pill", "suggested-action"]) { daemon.leaveAccount() }
        gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
        widget = makeStatusPage("", strings[.removedBody], icon: .warning, child: button)
    }

    func show() {
        guard let heading = daemon.removalHeading else { return }
        adw_status_page_set_title(widget.opaque, escaped(heading))
    }
}
