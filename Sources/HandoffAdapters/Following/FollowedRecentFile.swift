// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffSystem

/// Reveals only which file was opened last, neither the place nor the end.
final class FollowedRecentFile: FollowedProgram {
    /// Between two looks at the list, which other programs may change too.
    static let spacing = Duration.milliseconds(500)

    var changed: (OfferStateMachine.Shown?, OfferStateMachine.Standing) -> Void = { _, _ in }
    var moved: () -> Void = {}

    private struct Look: Sendable {
        let watch: FolderWatch
        let url: String?
    }

    private let list: RecentFiles
    private let tools: FollowTools
    private let source: ExaminedSource
    private var url: String?
    private var changes: LoopWatch?
    private var pause: LoopWatch?

    init(_ list: RecentFiles, _ tools: FollowTools) {
        self.list = list
        self.tools = tools
        source = ExaminedSource(tools, namesRepository: true)
        look(nil)
    }

    // The loop must stop watching a descriptor before it is closed.
    deinit { changes = nil }

    private func look(_ watch: FolderWatch?) {
        let look = { @Sendable [list] in
            let watch = watch ?? FolderWatch(folder: list.folder, for: .changes)
            watch.takeChanges()
            return Look(watch: watch, url: list.latest())
        }
        tools.offLoop.run(look) { [weak self] look in
            guard let self else { return }
            if let look { take(look.url) }
            pause = tools.loop.after(Self.spacing) { [unowned self] in
                guard let watch = look?.watch ?? watch else { return self.look(nil) }
                changes = try? tools.loop.watch(watch.descriptor) { [unowned self] in
                    changes = nil
                    self.look(watch)
                }
                if changes == nil {
                    Complaint.say("the system has no inotify instance left for a list of recent files")
                }
            }
        }
    }

    private func take(_ url: String?) {
        guard let url, url != self.url else { return }
        self.url = url
        source.open(OpenSource(url: url)) { [weak self] in self?.changed($0, .open) }
    }

    func state(then: @escaping (ProgramState?) -> Void) {
        source.examine { then($0.map { ProgramState(source: $0) }) }
    }
}
