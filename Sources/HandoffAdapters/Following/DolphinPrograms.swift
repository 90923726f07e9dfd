// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

/// KDE's file manager. It has no list of its folders, but tells everybody which it enters and leaves.
final class DolphinPrograms: InstanceFinder {
    private var slots: [BusSlot] = []

    init(_ tools: FinderTools) throws(BusFailure) {
        let windows = AnnouncedInstances(tools) { FollowedDolphin(tools.following) }
        for (signal, isEntered) in [("enteredDirectory", true), ("leftDirectory", false)] {
            slots.append(
                try tools.bus.onSignal("org.kde.KDirNotify", signal, "s", path: "/") { message in
                    // Others are the lists of trash and tags.
                    guard let url = message[0]?.text, FileURL.isOne(url) else { return }
                    windows.announced(by: message.sender) { isEntered ? $0.entered(url) : $0.left(url) }
                })
        }
    }
}

/// The folder that was entered last is offered: Dolphin does not say which window is in front.
final class FollowedDolphin: FollowedProgram {
    /// Folders of one process that are remembered.
    static let maximumFolders = 64

    var changed: (OfferStateMachine.Shown?, OfferStateMachine.Standing) -> Void = { _, _ in }
    var moved: () -> Void = {}

    private let source: ExaminedSource
    private var folders: [String] = []

    init(_ tools: FollowTools) { source = ExaminedSource(tools) }

    func entered(_ url: String) {
        folders.removeAll { $0 == url }
        if folders.count == Self.maximumFolders { folders.removeFirst() }
        folders.append(url)
        show()
    }

    func left(_ url: String) {
        folders.removeAll { $0 == url }
        show()
    }

    private func show() {
        source.open(folders.last.flatMap(OpenSource.init(folderURL:))) { [weak self] in self?.changed($0, .open) }
    }

    func state(then: @escaping (ProgramState?) -> Void) {
        source.examine { then($0.map { ProgramState(source: $0) }) }
    }
}
