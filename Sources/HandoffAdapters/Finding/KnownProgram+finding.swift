// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore

extension KnownProgram.Interface {
    /// Begins to follow a program with a name on the bus.
    func follow(_ name: InstanceName, _ tools: FollowTools) throws(BusFailure) -> any FollowedProgram {
        switch self {
        case .player: try FollowedPlayer(name, tools)
        case .okular: FollowedViewer(.okular(name), tools)
        case .zathura: FollowedViewer(.zathura(name), tools)
        }
    }
}
