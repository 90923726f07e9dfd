// SPDX-License-Identifier: Apache-2.0

/// `UIApplicationSceneManifest` of the Info.plist.
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

    func configuration(named name: String?, for role: UISceneSession.Role) -> Configuration? {
        let ofRole = configurations[role.rawValue] ?? []
        guard let name else { return ofRole.first }
        return ofRole.first { $0.name == name }
    }
}
