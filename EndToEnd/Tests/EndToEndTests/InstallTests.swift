// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// An install at a terminal, with a slow user. Shows T07.
@Suite(.serialized) struct InstallTests {
    // Shows T07: the copy is changed after its verification, before the user's answer.
    @Test func aCopyThatIsAlteredWhileItsUserComparesTheKeyIsNotInstalled() throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            let app = try stage.developer(of: App.monkeyBrowser.team).sign(.monkeyBrowser)
            let install = try laptop.start(
                program: [
                    "env", "HANDOFF_ROOT=\(laptop.root.path)", "script", "-qec",
                    "'\(Builds.commandLine)' app install '\(app.path)'", "/dev/null",
                ], name: "install at a terminal")
            try install.output.next("the key to compare") { $0.hasPrefix("  key ") }
            let picture = "Contents/Resources/MonkeyBrowser.svg"
            let copy = laptop.root.appending(path: "apps/.incoming.app.new/\(picture)")
            let file = try FileHandle(forWritingTo: copy)
            try file.seekToEnd()
            try file.write(contentsOf: Data("altered".utf8))
            try file.close()
            try install.say("y")
            #expect(try install.waitForExit() == 1)
            let words = "\(picture) of \(app.path) was changed while it was installed; try again"
            #expect(install.output.text.contains(words), "\(install.output.text)")
            #expect(try laptop.json("app", "list") == .array([]))

            try laptop.handoff("app", "install", app.path)
            let installed = try laptop.json("app", "list").first(where: "bundle", is: app.bundle)
            try laptop.handoff("app", "verify", try #require(installed?["path"]?.string))
        }
    }
}
