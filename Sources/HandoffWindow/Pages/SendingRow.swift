// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

@MainActor
final class SendingRow {
    private let row = ActionRow(icon: .send)
    /// Not a menu button, which GTK 4.8 does not describe to screen readers.
    private let button: GTKWidget
    private let popover: GTKWidget = gtk_popover_new()
    private let chose: @MainActor (SendingList.Receiver.ID) -> Void
    private var receivers: [SendingList.Receiver] = []

    var widget: GTKWidget { row.widget }

    init(_ strings: LocalizedStrings, chose: @escaping @MainActor (SendingList.Receiver.ID) -> Void) {
        self.chose = chose
        button = makeButton(strings[.sendTo]) { [popover] in gtk_popover_popup(popover.cast(to: GtkPopover.self)) }
        gtk_widget_set_parent(popover, button)
        onGTKSignal("destroy", of: button.raw) { [popover] _ in gtk_widget_unparent(popover) }
        row.add(button)
    }

    func show(_ line: SendingList.Line, to receivers: [SendingList.Receiver]) {
        row.show(title: line.title, details: line.details, icon: line.isFailed ? .warning : .send)
        if let label = line.buttonLabel { row.activate(button, label: label) } else { row.activateNothing() }
        gtk_widget_set_visible(button, line.buttonLabel == nil ? 0 : 1)
        gtk_widget_set_sensitive(button, line.isUnderWay ? 0 : 1)
        guard receivers != self.receivers else { return }
        self.receivers = receivers
        let choices = receivers.map { receiver in
            makeButton(receiver.name, styles: ["flat"]) { [weak self] in self?.choose(receiver.id) }
        }
        gtk_popover_set_child(popover.cast(to: GtkPopover.self), makeBox(GTK_ORIENTATION_VERTICAL, choices))
    }

    private func choose(_ receiver: SendingList.Receiver.ID) {
        gtk_popover_popdown(popover.cast(to: GtkPopover.self))
        chose(receiver)
    }
}
