// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct Notice: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        /// The activity can be continued here.
        case offer
        /// A continuation failed. It can be retried if the activity is still offered.
        case failure(Failure, mayBeRetried: Bool)
    }

    var activity: ListedActivity
    var subject: Subject
    /// Makes no sound and is not kept.
    var isQuiet: Bool
    /// Replaces a notification that already alerted the user.
    var isUpdate: Bool

    init(
        _ activity: ListedActivity, _ subject: Subject = .offer, isQuiet: Bool = false, isUpdate: Bool = false
    ) {
        self.activity = activity
        self.subject = subject
        self.isQuiet = isQuiet
        self.isUpdate = isUpdate
    }

    var key: OfferKey { OfferKey(activity) }

    var canBeContinued: Bool {
        switch subject {
        case .offer: true
        case .failure(_, let mayBeRetried): mayBeRetried
        }
    }

    func says(theSameAs other: Notice) -> Bool {
        subject == other.subject && key == other.key && activity.offer.title == other.activity.offer.title
            && activity.deviceName == other.activity.deviceName && activity.target == other.activity.target
            && activity.targetName == other.activity.targetName
    }
}

struct OfferKey: Hashable, Sendable {
    var device: DeviceID
    var activity: ActivityID

    init(device: DeviceID, activity: ActivityID) {
        self.device = device
        self.activity = activity
    }

    init(_ activity: ListedActivity) {
        self.init(device: activity.device, activity: activity.offer.activity)
    }
}
