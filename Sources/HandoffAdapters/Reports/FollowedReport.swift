// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffSystem
import HandoffWire

final class FollowedReport: FollowedProgram {
    var changed: (OfferStateMachine.Shown?, OfferStateMachine.Standing) -> Void = { _, _ in }
    var moved: () -> Void = {}

    private let source: ExaminedSource
    private var report: ProgramReport?
    private var place: ProgramState.Place?
    /// Empty: the source's name.
    private var title = ""
    private var end: LoopWatch?
    private let process: ProcessDescriptor?

    /// `ended`: the process has ended.
    init(_ process: Int32, _ tools: FollowTools, ended: @escaping () -> Void) {
        source = ExaminedSource(tools, namesRepository: true)
        guard let opened = ProcessDescriptor(of: process) else {
            self.process = nil
            return
        }
        end = try? tools.loop.watch(opened.descriptor, ended)
        self.process = consume opened
    }

    // The loop must stop watching a descriptor before it is closed.
    deinit { end = nil }

    func take(_ report: ProgramReport) {
        guard report != self.report else { return }
        self.report = report
        let opened: OpenSource?
        switch report.content {
        case .mail(let id, let subject):
            opened = id.map(OpenSource.message)
            self.title = subject
        case .shell(let folder): opened = .folder(folder)
        case .editor(let path, let place):
            opened = path.map(OpenSource.file)
            self.place = place
        }
        moved()
        source.open(opened) { [weak self] shown in
            guard let self else { return }
            var shown = shown
            if !title.isEmpty { shown?.title = title }
            changed(shown, .open)
        }
    }

    func state(then: @escaping (ProgramState?) -> Void) {
        source.examine { [weak self] offered in
            then(offered.map { ProgramState(source: $0, place: self?.place) })
        }
    }
}
