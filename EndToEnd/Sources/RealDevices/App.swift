// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// An app bundle that was built.
package struct App: Sendable {
    package let bundle: String
    package let executable: String
    package let path: String

    package static let monkeyBrowser = App(
        bundle: "com.xamarin.monkeybrowser", executable: "MonkeyBrowser", path: Builds.monkeyBrowser)

    /// The same program as another app: same team, same types, an identifier of its own.
    package func copied(as identifier: String, to folder: URL) throws -> App {
        let copy = folder.appending(path: "\(identifier).app")
        try FileManager.default.copyItem(at: URL(filePath: path), to: copy)
        let plist = copy.appending(path: "Contents/Info.plist")
        let text = try String(contentsOf: plist, encoding: .utf8)
        let renamed = text.replacing("<string>\(bundle)</string>", with: "<string>\(identifier)</string>")
        try Data(renamed.utf8).write(to: plist)
        return App(bundle: identifier, executable: executable, path: copy.path)
    }
}
