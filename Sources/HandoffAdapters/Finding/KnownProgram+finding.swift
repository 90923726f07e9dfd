// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore

extension KnownProgram.Interface {
    /// `reports`: nil if the session has no folder for them.
    func finder(_ tools: FinderTools, reports: ReportFolder?) throws(BusFailure) -> (any ProgramFinder)? {
        switch self {
        case .player, .okular, .zathura: try BusPrograms(self, tools)
        case .report: try reports.map { folder throws(BusFailure) in try ReportedPrograms(tools, in: folder) }
        }
    }

    /// Begins to follow a program with a name on the bus. Nil: it cannot be asked there.
    func follow(_ name: InstanceName, _ tools: FollowTools) throws(BusFailure) -> (any FollowedProgram)? {
        switch self {
        case .player: try FollowedPlayer(name, tools)
        case .okular: FollowedViewer(.okular(name), tools)
        case .zathura: FollowedViewer(.zathura(name), tools)
        case .report: nil
        }
    }
}
