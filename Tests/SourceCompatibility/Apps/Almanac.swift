// SPDX-License-Identifier: Apache-2.0

// An index of notes, as in apps with a search: an item and an activity for each note, a phrase for an assistant, a
// donation, and a row that can be dragged. Deleting the note deletes all of them. Ported: the import.

import Foundation
import HandoffApp

struct Note {
    let id: String
    let title: String
    let text: String

    static let activityType = "com.example.almanac.note"
    static let domain = "notes"

    var attributes: CSSearchableItemAttributeSet {
        let attributes = CSSearchableItemAttributeSet(contentType: .compositeContent)
        attributes.title = title
        attributes.contentDescription = text
        attributes.keywords = text.split(separator: " ").map(String.init)
        attributes.htmlContentData = "<p>\(text)</p>".data(using: .utf8)
        attributes.authors = [
            CSPerson(displayName: "Anna", handles: ["anna@example.com"], handleIdentifier: "emailAddresses")
        ]
        attributes.contentModificationDate = Date()
        attributes.rankingHint = 50
        attributes.relatedUniqueIdentifier = id
        return attributes
    }
}

class ShowNoteIntent: INIntent {
    var note: String?
}

class AlmanacAppDelegate: UIResponder, UIApplicationDelegate, NSUserActivityDelegate {
    var window: UIWindow?
    var activity: NSUserActivity?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow()
        window?.makeKeyAndVisible()
        User.says = { [weak self] line in self?.take(line) }
        return true
    }

    func take(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        switch words.first {
        case "note": open(Note(id: words[1], title: "Note \(words[1])", text: words[2]))
        case "forget": forget([words[1]])
        case "forget-everything": Task { await forgetEverything() }
        case "drag": drag()
        default: report("what is \(line)?")
        }
    }

    // MARK: The index

    func open(_ note: Note) {
        index([note])
        donate(note)
        let activity = NSUserActivity(activityType: Note.activityType)
        activity.title = note.title
        activity.userInfo = ["id": note.id]
        activity.requiredUserInfoKeys = ["id"]
        activity.persistentIdentifier = note.id
        activity.contentAttributeSet = note.attributes
        activity.keywords = Set(note.attributes.keywords ?? [])
        activity.isEligibleForSearch = true
        activity.isEligibleForPrediction = true
        activity.suggestedInvocationPhrase = "Show \(note.title)"
        activity.delegate = self
        activity.needsSave = true
        activity.becomeCurrent()
        self.activity = activity
    }

    func index(_ notes: [Note]) {
        let items = notes.map { note -> CSSearchableItem in
            let item = CSSearchableItem(
                uniqueIdentifier: note.id, domainIdentifier: Note.domain, attributeSet: note.attributes)
            item.expirationDate = Date.distantFuture
            return item
        }
        CSSearchableIndex.default().indexSearchableItems(items) { error in
            if let error = error {
                report("not indexed: \((error as NSError).domain) \((error as NSError).code)")
            } else {
                report("indexed")
            }
        }
    }

    func donate(_ note: Note) {
        let intent = ShowNoteIntent()
        intent.note = note.id
        intent.suggestedInvocationPhrase = "Show \(note.title)"
        let interaction = INInteraction(intent: intent, response: nil)
        interaction.identifier = note.id
        interaction.donate { error in
            if let error = error { report("not donated: \((error as NSError).code)") }
        }
    }

    func forget(_ identifiers: [String]) {
        CSSearchableIndex.default().deleteSearchableItems(withIdentifiers: identifiers)
        INInteraction.delete(with: identifiers)
        NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: identifiers) {
            report("forgot \(identifiers.joined(separator: " "))")
        }
    }

    func forgetEverything() async {
        do {
            try await CSSearchableIndex.default().deleteAllSearchableItems()
        } catch {
            report("nothing deleted: \(error.localizedDescription)")
        }
        await NSUserActivity.deleteAllSavedUserActivities()
        report("forgot everything")
    }

    nonisolated func userActivityWillSave(_ userActivity: NSUserActivity) {
        report("saves \(userActivity.title ?? "")")
    }

    // MARK: Dragging

    func drag() {
        guard let activity = activity else { return }
        let provider = NSItemProvider(object: (activity.title ?? "") as NSString)
        provider.registerObject(activity, visibility: .all)
        guard provider.canLoadObject(ofClass: NSUserActivity.self) else { return report("cannot be dropped") }
        provider.loadObject(ofClass: NSUserActivity.self) { object, error in
            guard let dropped = object as? NSUserActivity else { return report("not dropped: \(error!)") }
            report("dropped \(dropped.userInfo?["id"] as? String ?? "")")
        }
    }

    // MARK: Continuing

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        if userActivity.activityType == CSSearchableItemActionType,
            let identifier = userActivity.userInfo?[CSSearchableItemActivityIdentifier] as? String
        {
            report("found \(identifier)")
            return true
        }
        if userActivity.activityType == CSQueryContinuationActionType,
            let query = userActivity.userInfo?[CSSearchQueryString] as? String
        {
            report("searches \(query)")
            return true
        }
        guard let identifier = userActivity.userInfo?["id"] as? String,
            let attributes = userActivity.contentAttributeSet
        else { return false }
        let authors = (attributes.authors ?? []).compactMap { $0.displayName }
        let html = attributes.htmlContentData.flatMap { String(data: $0, encoding: .utf8) }
        report("shows \(identifier): \(html ?? "") by \(authors.joined(separator: ", "))")
        return true
    }
}
