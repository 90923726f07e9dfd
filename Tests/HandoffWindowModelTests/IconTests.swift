// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HandoffWindowModel

// Shows L10.
@Suite struct IconTests {
    private static let adwaita = "/usr/share/icons/Adwaita"

    private static func names(below folder: String) -> Set<String> {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        // GTK treats `name.svg` and `name.symbolic.png` as the same icon.
        return Set(files.compactMap { $0.split(separator: "/").last.map(String.init) }.map(iconName))
    }

    private static func iconName(_ file: String) -> String {
        for ending in [".symbolic.png", ".svg", ".png"] where file.hasSuffix(ending) {
            return String(file.dropLast(ending.count))
        }
        return file
    }

    private static var ours: Set<String> {
        names(below: String(#filePath.split(separator: "Tests/HandoffWindowModelTests")[0]) + "Desktop/share/icons")
    }

    @Test func thoseOfOursAreInstalledWithIt() {
        #expect(Set(Icon.allCases.map(\.rawValue).filter { $0.hasPrefix("org.handoff.") }).isSubset(of: Self.ours))
    }

    /// A missing icon would be shown as a placeholder.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: adwaita), "there is no Adwaita here"))
    func theOthersAreInTheThemeOfTheDesktop() {
        let there = Self.ours.union(Self.names(below: Self.adwaita))
        #expect(Icon.allCases.map(\.rawValue).filter { !there.contains($0) } == [])
    }
}
