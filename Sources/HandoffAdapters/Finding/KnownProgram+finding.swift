// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffSystem

extension KnownProgram.Interface {
    /// Nil: the session has no folder for reports.
    func finder(_ tools: FinderTools) throws(BusFailure) -> (any InstanceFinder)? {
        switch self {
        case .player, .fileManager, .gedit, .gnomeTextEditor, .kate, .kwrite, .map, .okular, .zathura:
            try BusPrograms(self, tools)
        case .evince: try EvincePrograms(tools)
        case .dolphin: try DolphinPrograms(tools)
        case .report:
            try ReportFolder(environment: tools.following.environment).map { folder throws(BusFailure) in
                try ReportedPrograms(tools, in: folder)
            }
        }
    }

    var object: (path: String, interface: String)? {
        switch self {
        case .player: (FollowedPlayer.path, FollowedPlayer.interface)
        case .fileManager: (FollowedFileManager.path, FollowedFileManager.interface)
        case .map: FollowedMap.object
        case .gedit: ("/org/gnome/gedit", "org.freedesktop.Application")
        case .gnomeTextEditor: ("/org/gnome/TextEditor", "org.freedesktop.Application")
        case .kate, .kwrite: ("/MainApplication", "org.kde.Kate.Application")
        case .okular: FollowedViewer.Language.okular
        case .zathura: FollowedViewer.Language.zathura
        case .dolphin, .evince, .report: nil
        }
    }

    /// Nil: the program cannot be queried on the bus.
    func follow(_ name: InstanceName, _ tools: FollowTools) throws(BusFailure) -> (any FollowedProgram)? {
        switch self {
        case .player: try FollowedPlayer(name, tools)
        case .kate: FollowedViewer(.kate(name, "kate"), tools)
        case .kwrite: FollowedViewer(.kate(name, "kwrite"), tools)
        case .okular: FollowedViewer(.okular(name), tools)
        case .zathura: FollowedViewer(.zathura(name), tools)
        case .fileManager: try FollowedFileManager(name, tools)
        case .map: try FollowedMap(tools)
        case .gedit, .gnomeTextEditor: recentFiles(tools.environment).map { FollowedRecentFile($0, tools) }
        case .dolphin, .evince, .report: nil
        }
    }

    /// Nil: the environment names no home folder.
    private func recentFiles(_ environment: [String: String]) -> RecentFiles? {
        UserDataFolders(environment).own.map { data in
            let isShared = self == .gedit
            return RecentFiles(
                folder: isShared ? data : data + "/org.gnome.TextEditor", name: "recently-used.xbel",
                application: isShared ? "gedit" : nil)
        }
    }
}
