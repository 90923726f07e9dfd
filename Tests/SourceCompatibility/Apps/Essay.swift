// SPDX-License-Identifier: Apache-2.0

// A macOS document app that overrides how documents are saved. Ported: the import, and a user instead of menus.

import Foundation
import HandoffApp

class EssayAppDelegate: NSObject, NSApplicationDelegate {
    private var essay: Essay?

    func applicationDidFinishLaunching(_ notification: Notification) {
        User.says = { [weak self] line in
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            self?.obey(words[0], words.count > 1 ? words[1] : "")
        }
        report("launched")
    }

    private func obey(_ word: String, _ rest: String) {
        switch word {
        case "open":
            essay = try? Essay(contentsOf: URL(fileURLWithPath: rest), ofType: "Essay")
            report("opened \(essay?.text ?? "nothing")")
        case "type":
            essay?.text = rest
            essay?.updateChangeCount(.changeDone)
            report("edited \(essay?.hasUnautosavedChanges ?? false)")
        case "save": save(as: nil)
        case "copy": save(as: rest)
        default: report("what is \(word)?")
        }
    }

    private func save(as path: String?) {
        guard let essay, let url = path.map({ URL(fileURLWithPath: $0) }) ?? essay.fileURL else { return }
        let operation: NSDocument.SaveOperationType = path == nil ? .saveOperation : .saveToOperation
        Task {
            do {
                try await essay.save(to: url, ofType: "Essay", for: operation)
                report("saved \(url.lastPathComponent), edited \(essay.isDocumentEdited)")
            } catch {
                report("cannot save")
            }
        }
    }
}

class Essay: NSDocument {
    var text = ""

    override class var autosavesInPlace: Bool { true }

    override func read(from data: Data, ofType typeName: String) throws {
        text = String(decoding: data, as: UTF8.self)
    }

    override func data(ofType typeName: String) throws -> Data { Data(text.utf8) }

    override func save(
        to url: URL, ofType typeName: String, for saveOperation: NSDocument.SaveOperationType
    ) async throws {
        let before = fileModificationDate
        try await super.save(to: url, ofType: typeName, for: saveOperation)
        if saveOperation != .saveToOperation, let before, let after = fileModificationDate {
            report("written later \(after >= before)")
        }
    }

    override func writeSafely(
        to url: URL, ofType typeName: String, for saveOperation: NSDocument.SaveOperationType
    ) throws {
        report("writes \(url.lastPathComponent)")
        try super.writeSafely(to: url, ofType: typeName, for: saveOperation)
    }
}
