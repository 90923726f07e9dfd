// SPDX-License-Identifier: Apache-2.0

// An app whose own module `Estate` uses plain names, in one file with ours.

import Estate
import Foundation
import HandoffApp

struct Landlord: Responder {
    func answer(_ application: Application) -> Answer { application.documents.isEmpty ? .refused : .accepted }
}

class FlatController: UIViewController {
    var scene = Scene(windows: [Window(view: .garden), Window(view: .street)])
    var tools: Set<Toolkit> = [.hammer]
    let keyHolder = ViewController(key: 7)

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["gardenWindows": scene.windows.count { $0.view == View.garden }])
    }

    /// Whether the landlord accepts the person with these papers.
    func apply(with papers: [UIDocument], to landlord: any Responder) -> Bool {
        var application = Application()
        application.documents = papers.map { Document(title: $0.localizedName) }
        return landlord.answer(application) == .accepted
    }
}
