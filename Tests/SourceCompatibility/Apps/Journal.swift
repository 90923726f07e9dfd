// SPDX-License-Identifier: Apache-2.0

// File coordination as in document apps of iOS and macOS: a store with coordinated reads and writes, a presenter of the
// open file, scoped access to the user's choice, a bookmark of it, and conflicts that are resolved by merging. In the
// usual places of such apps, in the older style with optional closures. Ported: the import.

import Foundation
import HandoffApp

class JournalAppDelegate: UIResponder, UIApplicationDelegate {
    private let store = JournalStore()
    private var entry: JournalEntry?
    private var bookmark: Data?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        User.says = { [weak self] line in
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            self?.obey(words[0], words.count > 1 ? words[1] : "")
        }
        _ = NotificationCenter.default.addObserver(
            forName: .NSUbiquityIdentityDidChange, object: nil, queue: .main
        ) { _ in report("another account") }
        return true
    }

    private func obey(_ word: String, _ rest: String) {
        switch word {
        case "open": open(URL(fileURLWithPath: rest))
        case "type": entry?.text = rest
        case "overwrite": overwrite(with: rest)
        case "share": share()
        case "remove": remove()
        case "settle": settle()
        case "remember": remember()
        case "recall": recall()
        case "cloud": cloud()
        default: report("what is \(word)?")
        }
    }

    private func open(_ url: URL) {
        guard url.startAccessingSecurityScopedResource() else {
            return report("no access")
        }
        defer { url.stopAccessingSecurityScopedResource() }
        do {
            let entry = JournalEntry(url: url)
            entry.loaded = try store.load(url, presenter: entry)
            entry.didChange = { [store, weak entry] in
                guard let entry, let url = entry.presentedItemURL else { return }
                entry.loaded = (try? store.load(url, presenter: entry)) ?? ""
                report("shows \(entry.loaded)")
            }
            self.entry = entry
            NSFileCoordinator.addFilePresenter(entry)
            report("opened \(entry.loaded), \(NSFileCoordinator.filePresenters.count) presenter")
        } catch {
            report("cannot open: \(error.localizedDescription)")
        }
    }

    /// As in a part of the app that does not know the open entry.
    private func overwrite(with text: String) {
        guard let url = entry?.presentedItemURL else { return }
        store.save(text, to: url, presenter: nil) { error in
            report(error.map { "cannot save: \($0.localizedDescription)" } ?? "saved \(text)")
        }
    }

    /// A copy of the entry's current content, made in the background.
    private func share() {
        guard let url = entry?.presentedItemURL else { return }
        let copy = url.deletingLastPathComponent().appendingPathComponent("shared.txt")
        let reading = NSFileAccessIntent.readingIntent(with: url, options: .forUploading)
        let writing = NSFileAccessIntent.writingIntent(with: copy, options: .forReplacing)
        NSFileCoordinator(filePresenter: nil).coordinate(with: [reading, writing], queue: OperationQueue()) { error in
            if let error { return report("cannot share: \(error.localizedDescription)") }
            try? FileManager.default.removeItem(at: writing.url)
            try? FileManager.default.copyItem(at: reading.url, to: writing.url)
            report("shared \((try? String(contentsOf: writing.url, encoding: .utf8)) ?? "")")
        }
    }

    private func remove() {
        guard let url = entry?.presentedItemURL else { return }
        var error: NSError?
        NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: url, options: .forDeleting, error: &error) {
            try? FileManager.default.removeItem(at: $0)
        }
        report(error == nil ? "removed" : "cannot remove: \(error!.code)")
    }

    private func settle() {
        guard let url = entry?.presentedItemURL, let current = NSFileVersion.currentVersionOfItem(at: url),
            let conflicts = NSFileVersion.unresolvedConflictVersionsOfItem(at: url), !conflicts.isEmpty
        else { return report("no conflict") }
        // The newest version wins.
        let winner = ([current] + conflicts).max {
            ($0.modificationDate ?? .distantPast) < ($1.modificationDate ?? .distantPast)
        }
        do {
            if let winner, winner != current {
                try winner.replaceItem(at: url, options: [])
            }
            for conflict in conflicts { conflict.isResolved = true }
            try NSFileVersion.removeOtherVersionsOfItem(at: url)
            report("settled by \(winner?.localizedNameOfSavingComputer ?? "this device")")
        } catch {
            report("cannot settle: \(error.localizedDescription)")
        }
    }

    private func remember() {
        #if os(macOS)
        let options: URL.BookmarkCreationOptions = [.withSecurityScope]
        #else
        let options: URL.BookmarkCreationOptions = []
        #endif
        bookmark = try? entry?.presentedItemURL?.bookmarkData(
            options: options, includingResourceValuesForKeys: nil, relativeTo: nil)
        report("remembered")
    }

    private func recall() {
        guard let bookmark else { return }
        var isStale = false
        let url = try? URL(resolvingBookmarkData: bookmark, options: [], relativeTo: nil, bookmarkDataIsStale: &isStale)
        report("recalled \(url?.lastPathComponent ?? "nothing")\(isStale ? ", stale" : "")")
    }

    private func cloud() {
        let files = FileManager.default
        guard files.ubiquityIdentityToken != nil else { return report("no account") }
        guard let container = files.url(forUbiquityContainerIdentifier: nil)?.appendingPathComponent("Documents") else {
            return report("no container")
        }
        if let url = entry?.presentedItemURL, !files.isUbiquitousItem(at: url) {
            let target = container.appendingPathComponent(url.lastPathComponent)
            do {
                try files.setUbiquitous(true, itemAt: url, destinationURL: target)
                try files.startDownloadingUbiquitousItem(at: target)
                let values = try target.resourceValues(forKeys: [.ubiquitousItemDownloadingStatusKey])
                report("moved in, \(values.ubiquitousItemDownloadingStatus == .current)")
            } catch {
                report("cannot move: \(error.localizedDescription)")
            }
        }
    }
}

class JournalStore {
    func load(_ url: URL, presenter: NSFilePresenter?) throws -> String {
        var coordinationError: NSError?
        var readError: Error?
        var text = ""
        let coordinator = NSFileCoordinator(filePresenter: presenter)
        coordinator.coordinate(readingItemAt: url, options: [.withoutChanges], error: &coordinationError) { newURL in
            do {
                text = try String(contentsOf: newURL, encoding: .utf8)
            } catch {
                readError = error
            }
        }
        if let error = coordinationError ?? readError { throw error }
        return text
    }

    func save(_ text: String, to url: URL, presenter: NSFilePresenter?, completion: ((Error?) -> Void)? = nil) {
        var coordinationError: NSError?
        let coordinator = NSFileCoordinator(filePresenter: presenter)
        coordinator.coordinate(writingItemAt: url, options: .forReplacing, error: &coordinationError) { newURL in
            do {
                try text.write(to: newURL, atomically: true, encoding: .utf8)
                completion?(nil)
            } catch {
                completion?(error)
            }
        }
        if let coordinationError { completion?(coordinationError) }
    }
}

/// The open file.
class JournalEntry: NSObject, NSFilePresenter {
    var presentedItemURL: URL?
    lazy var presentedItemOperationQueue: OperationQueue = .main
    var didChange: (() -> Void)?
    var loaded = ""
    /// The unsaved text; nil if there is none.
    var text: String?
    private var isPaused = false

    init(url: URL) {
        presentedItemURL = url
        super.init()
    }

    deinit {
        NSFileCoordinator.removeFilePresenter(self)
    }

    func relinquishPresentedItem(toReader reader: @escaping ((() -> Void)?) -> Void) {
        isPaused = true
        reader { self.isPaused = false }
    }

    func relinquishPresentedItem(toWriter writer: @escaping ((() -> Void)?) -> Void) {
        isPaused = true
        writer {
            self.isPaused = false
            report("has it back")
        }
    }

    func savePresentedItemChanges(completionHandler: @escaping (Error?) -> Void) {
        guard let text, let url = presentedItemURL else { return completionHandler(nil) }
        JournalStore().save(text, to: url, presenter: self) { error in
            if error == nil { self.text = nil }
            completionHandler(error)
        }
    }

    func accommodatePresentedItemDeletion(completionHandler: @escaping (Error?) -> Void) {
        report("closes")
        completionHandler(nil)
    }

    func presentedItemDidMove(to newURL: URL) {
        presentedItemURL = newURL
        report("now at \(newURL.lastPathComponent)")
    }

    func presentedItemDidChange() {
        guard !isPaused else { return }
        didChange?()
    }

    func presentedItemDidGain(_ version: NSFileVersion) {
        report("gained \(version.localizedName ?? "")")
    }
}
