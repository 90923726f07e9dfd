// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// In a folder from which a browser loads it for every user, as on Debian.
package struct SharedExtension: Encodable, Hashable, Sendable {
    package let folder: String
    package let problem: String?

    private struct Manifest: Decodable {
        struct Settings: Decodable {
            struct Gecko: Decodable { let id: String }
            let gecko: Gecko
        }
        let browser_specific_settings: Settings
    }

    package init?(of browser: KnownBrowser, in home: UserFolders) {
        guard let folder = browser.sharedExtension(in: home),
            // Includes a broken link.
            (try? FileManager.default.attributesOfItem(atPath: folder)) != nil
        else { return nil }
        self.folder = folder
        let file = folder + "/manifest.json"
        // All browsers share one manifest, with Firefox's identifier.
        if let data = try? Data(contentsOf: URL(filePath: file)),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: data)
        {
            let isOurs = manifest.browser_specific_settings.gecko.id == HostManifest.firefoxExtension
            problem = isOurs ? nil : "\(file) belongs to another extension"
        } else {
            problem = "\(file) cannot be read"
        }
    }

    package static func isUsable(by browser: KnownBrowser, in home: UserFolders) -> Bool {
        SharedExtension(of: browser, in: home).map { $0.problem == nil } ?? false
    }
}
