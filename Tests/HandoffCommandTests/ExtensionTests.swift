// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HandoffBrowserHost
import Testing

@testable import HandoffCommand

/// Consistency of the extension and the command. Shows L06.
@Suite struct ExtensionTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Extension")

    private static func json(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.appending(path: path))
        let object = try JSONSerialization.jsonObject(with: data)
        return try #require(object as? [String: Any])
    }

    @Test func theHostManifestNamesTheExtension() throws {
        let manifest = try Self.json("manifest.json")
        let text = try #require(manifest["key"] as? String)
        let key = try #require(Data(base64Encoded: text))
        // Chromium derives the identifier from the key: half of its hash, written with the letters a to p.
        let id = SHA256.hash(data: key).prefix(16).flatMap { [$0 >> 4, $0 & 15] }
            .map { String(UnicodeScalar(UInt8(ascii: "a") + $0)) }.joined()
        #expect(id == HostManifest.chromiumExtension)
        let settings = manifest["browser_specific_settings"] as? [String: [String: Any]]
        #expect(settings?["gecko"]?["id"] as? String == HostManifest.firefoxExtension)
        let host = try String(contentsOf: Self.folder.appending(path: "modules/host.js"), encoding: .utf8)
        #expect(host.contains("\"\(HostManifest.name)\""))
    }

    /// docs/decisions/0021 gives the reasons.
    @Test func itRequestsOnlyThePermissionsItNeeds() throws {
        let manifest = try Self.json("manifest.json")
        #expect(manifest["permissions"] as? [String] == ["nativeMessaging", "scripting", "storage"])
        #expect(manifest["host_permissions"] as? [String] == ["http://*/*", "https://*/*"])
        #expect(manifest["incognito"] as? String == "not_allowed")
        for key in ["content_scripts", "externally_connectable", "web_accessible_resources", "optional_permissions"] {
            #expect(manifest[key] == nil, "\(key)")
        }
    }

    @Test func everyLanguageHasEveryWord() throws {
        let english = try Self.json("_locales/en/messages.json")
        let languages = try FileManager.default.contentsOfDirectory(
            atPath: Self.folder.appending(path: "_locales").path)
        #expect(Set(languages) == ["de", "en", "es", "fr", "it", "zh_CN"])
        for language in languages {
            let words = try Self.json("_locales/\(language)/messages.json")
            #expect(Set(words.keys) == Set(english.keys), "\(language)")
            for (key, word) in words {
                let message = (word as? [String: Any])?["message"] as? String ?? ""
                let model = (english[key] as? [String: Any])?["message"] as? String ?? ""
                #expect(!message.isEmpty)
                #expect(message.contains("$VALUE$") == model.contains("$VALUE$"), "\(language) \(key)")
            }
        }
    }

    /// It loads no external code, and evaluates no strings.
    @Test func itRunsNothingButItsOwnFiles() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".js") || $0.hasSuffix(".html") }
        #expect(files.count > 10)
        for file in files {
            let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
            for word in [
                "eval(", "new Function", "innerHTML", "insertAdjacentHTML", "document.write", "fetch(",
                "XMLHttpRequest", "src=\"http",
            ] {
                #expect(!text.contains(word), "\(file) has \(word)")
            }
        }
    }
}
