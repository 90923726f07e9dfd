// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc
package import HandoffSystem

/// Lets a browser start `handoff-browser-host` for our extension.
package struct HostManifest: Codable, Equatable {
    package static let name = "handoff.browser_host"
    private static let bytes = 64 * 1024
    /// Derived from the key in Extension/manifest.json.
    package static let chromiumExtension = "lnhlmmmednmpnolcjmofpcfajimoiomc"
    package static let firefoxExtension = "extension@handoff"
    /// Of Thunderbird, which looks for manifests where Firefox does.
    package static let mailExtension = "mail@handoff"

    let name: String
    let description: String
    package let path: String
    let type: String
    let allowed_origins: [String]?
    let allowed_extensions: [String]?

    package init(for family: KnownBrowser.Family, program: String) {
        name = Self.name
        description = "Handoff: between this browser and your other devices"
        path = program
        type = "stdio"
        switch family {
        case .chromium: (allowed_origins, allowed_extensions) = (["chrome-extension://\(Self.chromiumExtension)/"], nil)
        case .firefox: (allowed_origins, allowed_extensions) = (nil, [Self.firefoxExtension, Self.mailExtension])
        }
    }

    package enum State: Equatable {
        case missing
        case installed(program: String)
        case broken(String)
    }

    package struct Found: Equatable {
        package let file: String
        /// For all users of the machine.
        package let isShared: Bool
        package let state: State

        package func suffices(for program: String) -> Bool { isShared && state == .installed(program: program) }
    }

    /// Like browsers: the user's own file has precedence, even if broken.
    package static func find(for browser: KnownBrowser, in home: UserFolders) -> Found {
        let own = browser.manifest(in: home)
        if let state = state(of: own, for: browser.family) { return Found(file: own, isShared: false, state: state) }
        for shared in browser.sharedManifests(in: home) {
            if let state = state(of: shared, for: browser.family) {
                return Found(file: shared, isShared: true, state: state)
            }
        }
        return Found(file: own, isShared: false, state: .missing)
    }

    private static func state(of file: String, for family: KnownBrowser.Family) -> State? {
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: file)),
            let manifest = try? JSONDecoder().decode(HostManifest.self, from: data)
        else { return .broken("it cannot be read") }
        guard manifest == HostManifest(for: family, program: manifest.path) else {
            return .broken("it is for another extension or version")
        }
        guard FileManager.default.isExecutableFile(atPath: manifest.path) else {
            return .broken("\(manifest.path) is not a program")
        }
        return .installed(program: manifest.path)
    }

    /// In one step. A symbolic link stays.
    package func write(for browser: KnownBrowser, in home: UserFolders) throws(SystemError) {
        let path = browser.manifest(in: home)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let content = try? encoder.encode(self) else {
            throw SystemError(EINVAL, path, "\(path) cannot be written: its content is not JSON")
        }
        let written = Result<[UInt8]?, Never>.success([UInt8](content))
        _ = try UserFile(path: path).change(limit: Self.bytes) { _ in written }
    }

    package static func remove(of browser: KnownBrowser, in home: UserFolders) throws(SystemError) -> Bool {
        let path = browser.manifest(in: home)
        if unlink(path) == 0 { return true }
        if errno == ENOENT || errno == ENOTDIR { return false }
        throw SystemError(errno, path)
    }
}
