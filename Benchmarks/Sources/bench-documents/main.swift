// SPDX-License-Identifier: Apache-2.0

// An app with documents, on both devices. Reads commands, one a line:
//   container    -> container PATH, in which its documents lie
//   name PATH    an activity that names that file, and is current    -> named
//   name         one that names none                                 -> named
// Says `continue NANOSECONDS` when it continues one.

import BenchClock
import Foundation
import Handoff
import HandoffApp

final class Delegate: HandoffApplicationDelegate {
    private var activity: NSUserActivity?

    func application(
        _ application: HandoffApplication,
        didFinishLaunchingWithOptions launchOptions: [HandoffApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Thread.detachNewThread {
            while let line = readLine() {
                DispatchQueue.main.async { MainActor.assumeIsolated { delegate.obey(line) } }
            }
            exit(0)
        }
        return true
    }

    private func obey(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch words.first {
        case "container":
            let folder = FileManager.default.url(forUbiquityContainerIdentifier: nil)
            say("container \(folder?.appending(path: "Documents").path ?? "")")
        case "name":
            let next = NSUserActivity(activityType: "org.example.bench.documents")
            next.title = words.count > 1 ? "bench-document" : "bench-none"
            next.userInfo = ["line": 42]
            if words.count > 1 { next.addUserInfoEntries(from: ["file": URL(filePath: words[1])]) }
            next.becomeCurrent()
            activity?.invalidate()
            activity = next
            say("named")
        default: exit(64)
        }
    }

    func application(
        _ application: HandoffApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        say("continue \(monotonicNanoseconds())")
        return true
    }
}

let delegate = Delegate()
HandoffApplication.shared.delegate = delegate
HandoffApplication.shared.run()
