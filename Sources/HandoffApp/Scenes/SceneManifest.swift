// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffSystem

/// `UIApplicationSceneManifest` of an app's Info.plist.
struct SceneManifest: Sendable, Decodable {
    struct Configuration: Sendable, Decodable {
        var name: String?
        var sceneClassName: String?
        var delegateClassName: String?

        private enum CodingKeys: String, CodingKey {
            case name = "UISceneConfigurationName"
            case sceneClassName = "UISceneClassName"
            case delegateClassName = "UISceneDelegateClassName"
        }
    }

    /// Of the app's Info.plist.
    struct Keys: Decodable {
        var UIApplicationSceneManifest: SceneManifest?
    }

    var supportsMultipleScenes: Bool
    /// By role.
    var configurations: [String: [Configuration]]

    private enum CodingKeys: String, CodingKey {
        case supportsMultipleScenes = "UIApplicationSupportsMultipleScenes"
        case configurations = "UISceneConfigurations"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        supportsMultipleScenes = try container.decodeIfPresent(Bool.self, forKey: .supportsMultipleScenes) ?? false
        configurations =
            try container.decodeIfPresent([String: [Configuration]].self, forKey: .configurations) ?? [:]
    }

    /// Nil where there is no bundle, no such key, or none that can be read.
    static let ofThisProcess: SceneManifest? = ThisProcess.current.bundle.flatMap { bundle in
        let file = PropertyListFile(path: InfoPropertyList.path(inBundle: bundle.path))
        return (try? file.decode(Keys.self))?.UIApplicationSceneManifest
    }

    func configuration(named name: String?, for role: SceneSession.Role) -> Configuration? {
        let ofRole = configurations[role.rawValue] ?? []
        guard let name else { return ofRole.first }
        return ofRole.first { $0.name == name }
    }
}
