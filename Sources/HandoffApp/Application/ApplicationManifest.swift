// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffSystem

struct ApplicationManifest: Sendable, Decodable {
    struct Shortcut: Sendable, Decodable {
        var type: String
        var title: String?
        var subtitle: String?
        var userInfo: [String: String]?

        private enum CodingKeys: String, CodingKey {
            case type = "UIApplicationShortcutItemType"
            case title = "UIApplicationShortcutItemTitle"
            case subtitle = "UIApplicationShortcutItemSubtitle"
            case userInfo = "UIApplicationShortcutItemUserInfo"
        }
    }

    private struct URLType: Decodable {
        var schemes: [String]?

        private enum CodingKeys: String, CodingKey { case schemes = "CFBundleURLSchemes" }
    }

    /// From `CFBundleURLTypes`, in lower case.
    var schemes: Set<String> = []
    var shortcuts: [Shortcut] = []
    /// Nil if missing or undecodable.
    var scenes: SceneManifest?

    private enum CodingKeys: String, CodingKey {
        case urlTypes = "CFBundleURLTypes"
        case shortcuts = "UIApplicationShortcutItems"
        case scenes = "UIApplicationSceneManifest"
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // A damaged key must not affect the others.
        let types = (try? container.decodeIfPresent([URLType].self, forKey: .urlTypes)) ?? []
        schemes = Set(types.flatMap { $0.schemes ?? [] }.map { $0.lowercased() })
        shortcuts = (try? container.decodeIfPresent([Shortcut].self, forKey: .shortcuts)) ?? []
        scenes = try? container.decodeIfPresent(SceneManifest.self, forKey: .scenes)
    }

    static let ofThisProcess: ApplicationManifest = {
        guard let bundle = ThisProcess.current.bundle else { return ApplicationManifest() }
        let file = PropertyListFile(path: InfoPropertyList.path(inBundle: bundle.path))
        return (try? file.decode(ApplicationManifest.self)) ?? ApplicationManifest()
    }()
}
