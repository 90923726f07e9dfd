// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms

/// A folder for one test, without links in its path, removed with the object.
final class TemporaryDirectory {
    let path: String

    init(in folder: String = "/tmp") {
        var template = Array("\(folder)/handoff-host-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("cannot make a folder in \(folder)") }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func folder(_ name: String, mode: mode_t = 0o700) throws -> String {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        chmod(path(name), mode)
        return path(name)
    }

    @discardableResult
    func file(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
        try folder(String(("./" + name).prefix(upTo: ("./" + name).lastIndex(of: "/")!)), mode: 0o700)
        if text.hasPrefix("#!") {
            try Program.write(text, to: path(name), mode: Int(mode))
        } else {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
            chmod(path(name), mode)
        }
        return path(name)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    func exists(_ name: String) -> Bool { (try? FileManager.default.attributesOfItem(atPath: path(name))) != nil }

    func names(_ folder: String = ".") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
    }

    func text(_ name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }

    /// Zero if there is nothing.
    func mode(_ name: String) -> mode_t {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
        return (attributes?[.posixPermissions] as? NSNumber).map { mode_t($0.uint32Value) } ?? 0
    }
}
