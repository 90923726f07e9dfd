// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

/// Dolphin has no list of its folders, but broadcasts which it enters and leaves.
final class DolphinPrograms: InstanceFinder {
    private var slots: [BusSlot] = []

    init(_ tools: FinderTools) throws(BusFailure) {
        let windows = AnnouncedInstances(tools) { FollowedDolphin(tools.following) }
        for (signal, isEntered) in [("enteredDirectory", true), ("leftDirectory", false)] {
            slots.append(
                try tools.bus.onSignal("org.kde.KDirNotify", signal, "s", path: "/") { message in
                    // Others are lists of trash and tags.
                    guard let url = message[0]?.text, FileURL.isOne(url) else { return }
                    windows.announced(by: message.sender) { isEntered ? $0.entered(url) : $0.left(url) }
                })
        }
    }
}

/// Offers the last entered folder, because Dolphin does not report which window is in front.
final class FollowedDolphin: FollowedProgram {
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
