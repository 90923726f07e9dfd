// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffWire
import Testing

/// Shows K03.
@Suite final class AppBundleTests {
    private let folder = "/tmp/handoff-" + UUID().uuidString.prefix(8)

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func bundle(_ plist: String?) throws -> AppBundle? {
        let contents = folder + "/Reader.app/Contents"
        try FileManager.default.createDirectory(atPath: contents + "/Linux", withIntermediateDirectories: true)
        try plist.map { try Data($0.utf8).write(to: URL(filePath: contents + "/Info.plist")) }
        return try AppBundle.containing(executable: contents + "/Linux/reader")
    }

    private func plist(_ keys: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(keys)</dict></plist>"
    }

    @Test func keysAreRead() throws {
        let bundle = try #require(
            try bundle(
                plist(
                    """
                    <key>CFBundleIdentifier</key><string>com.example.reader</string>
                    <key>CFBundleName</key><string>Fine Reader</string>
                    <key>NSUserActivityTypes</key><array><string>com.example.reader.reading</string></array>
                    <key>CFBundleVersion</key><integer>3</integer>
                    """)))
        #expect(bundle.identifier.name == "com.example.reader")
        #expect(bundle.name == "Fine Reader")
        #expect(bundle.activityTypes == ["com.example.reader.reading"])
        #expect(bundle.path == folder + "/Reader.app")
    }

    // Shows K04.
    @Test func typesOfDocumentsAreRead() throws {
        let documents = """
            <key>CFBundleIdentifier</key><string>com.example.reader</string>
            <key>CFBundleDocumentTypes</key><array>
            <dict><key>CFBundleTypeName</key><string>Letter</string>
            <key>CFBundleTypeExtensions</key><array><string>txt</string></array>
            <key>NSUbiquitousDocumentUserActivityType</key><string>com.example.reader.letter</string>
            <key>NSDocumentClass</key><string>$(PRODUCT_MODULE_NAME).Letter</string></dict>
            <dict><key>CFBundleTypeName</key><string>Note</string></dict></array>
            """
        let bundle = try #require(try bundle(plist(documents)))
        #expect(bundle.documentTypes.map(\.name) == ["Letter", "Note"])
        #expect(bundle.documentTypes.map(\.extensions) == [["txt"], []])
        #expect(bundle.documentTypes.map(\.activityType?.name) == ["com.example.reader.letter", nil])
        #expect(bundle.documentTypes.map(\.className) == ["$(PRODUCT_MODULE_NAME).Letter", nil])
        #expect(throws: Failure(.malformed, "")) {
            try self.bundle(plist(documents.replacing("com.example.reader.letter", with: "with blank")))
        }
    }

    @Test func nameAndTypesMayBeMissing() throws {
        let bundle = try #require(
            try bundle(plist("<key>CFBundleIdentifier</key><string>com.example.reader</string>")))
        #expect(bundle.name == "Reader")
        #expect(bundle.activityTypes.isEmpty)
    }

    @Test(arguments: ["/usr/bin/reader", "/Reader.app/Contents/MacOS/reader", "/Linux/reader", "reader", ""])
    func programElsewhereIsInNoBundle(executable: String) throws {
        #expect(try AppBundle.containing(executable: executable) == nil)
    }

    @Test func missingPlistIsReported() {
        let failure = #expect(throws: Failure.self) { try bundle(nil) }
        #expect(failure?.reason.hasSuffix("Info.plist is missing") == true)
    }

    @Test(arguments: ["", "not a property list", "<plist><dict><key>CFBundleIdentifier"])
    func damagedPlistIsReported(text: String) {
        #expect(throws: Failure(.malformed, "")) { try bundle(text) }
    }

    @Test(arguments: [
        "", "<key>CFBundleIdentifier</key><string>../../etc</string>",
        "<key>CFBundleIdentifier</key><integer>1</integer>",
    ])
    func unusableIdentifierIsReported(keys: String) {
        #expect(throws: Failure(.malformed, "")) { try bundle(plist(keys)) }
    }
}
