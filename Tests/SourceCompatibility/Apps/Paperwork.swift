// SPDX-License-Identifier: Apache-2.0

// Not a port: documents between real devices. The user types
//
//     folder         prints the documents folder of the app's container
//     open PATH      opens a paper, which has an automatic activity if it is in the container
//     type TEXT      replaces the paper's text without saving
//     save
//     name PATH      makes an activity current that names any file
//     fetch          fetches a document that arrived before its content

import Foundation
import HandoffApp

class PaperworkAppDelegate: UIResponder, UIApplicationDelegate {
    private static let naming = "com.example.paperwork.naming"
    private var paper: Paper?
    private var named: NSUserActivity?
    /// The received document.
    private var url: URL?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.documentController.register(forType: "Paper") { Paper(fileURL: $0) }
        User.says = { [weak self] line in
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            self?.obey(words[0], words.count > 1 ? words[1] : "")
        }
        report("ready")
        return true
    }

    private func obey(_ word: String, _ rest: String) {
        switch word {
        case "folder":
            let folder = FileManager.default.url(forUbiquityContainerIdentifier: nil)
            report("folder \(folder?.appendingPathComponent("Documents").path ?? "none")")
        case "open": open(URL(fileURLWithPath: rest))
        case "type": (paper ?? latest)?.text = rest
        case "save": save()
        case "name": name(URL(fileURLWithPath: rest))
        case "fetch": fetch()
        default: report("what is \(word)?")
        }
    }

    /// The document that was continued last.
    private var latest: Paper? { UIApplication.shared.documentController.documents.last as? Paper }

    private func open(_ url: URL) {
        UIApplication.shared.documentController.openDocument(withContentsOf: url, display: false) {
            document, _, error in
            guard let paper = document as? Paper else {
                return report("cannot open: \(error?.localizedDescription ?? "no paper")")
            }
            self.paper = paper
        }
    }

    private func save() {
        guard let paper = paper ?? latest else { return report("nothing is open") }
        paper.save(to: paper.fileURL, for: .forOverwriting) { report($0 ? "saved" : "not saved") }
    }

    private func name(_ url: URL) {
        let activity = NSUserActivity(activityType: Self.naming)
        activity.title = url.lastPathComponent
        activity.addUserInfoEntries(from: ["file": url])
        activity.becomeCurrent()
        named = activity
        report("named \(url.lastPathComponent)")
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard userActivity.activityType == Self.naming, let url = userActivity.userInfo?["file"] as? URL else {
            // The framework opens it.
            return false
        }
        self.url = url
        let isHere = FileManager.default.fileExists(atPath: url.path)
        report("\(isHere ? "came" : "to come") \(url.path)")
        return true
    }

    private func fetch() {
        guard let url else { return report("nothing came") }
        do { try FileManager.default.startDownloadingUbiquitousItem(at: url) } catch {
            return report("cannot fetch: \(error.localizedDescription)")
        }
        DispatchQueue.global().async {
            var error: NSError?
            NSFileCoordinator().coordinate(readingItemAt: url, options: [], error: &error) { url in
                let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
                report("fetched \(attributes?[.size] as? Int ?? -1) bytes")
            }
            if let error { report("not fetched: \(error.localizedDescription)") }
        }
    }
}

class Paper: UIDocument {
    private var observation: HandoffUserActivityObservation?
    var text = "" { didSet { if text != oldValue { updateChangeCount(.done) } } }

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        guard let data = contents as? Data else { throw CocoaError(.fileReadCorruptFile) }
        text = String(decoding: data, as: UTF8.self)
        updateChangeCount(.cleared)
        report("read \(text)")
        // The automatic activity appears once the app knows its container.
        guard observation == nil else { return }
        observation = observeUserActivity { activity in
            activity?.becomeCurrent()
            report(activity == nil ? "no activity" : "current \(activity?.title ?? "")")
        }
    }

    override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        report("went on with \(fileURL.path)")
    }
}
