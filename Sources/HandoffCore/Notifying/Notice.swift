// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct Notice: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        /// The activity can be continued here.
        case offer
        /// A continuation failed. It can be retried if the activity is still offered.
        case failure(Failure, mayBeRetried: Bool)
    }

    package var activity: ListedActivity
    package var subject: Subject
    /// Makes no sound and is not kept.
    package var isQuiet: Bool
    /// Replaces a notification that already alerted the user.
    package var isUpdate: Bool

    package init(
        _ activity: ListedActivity, _ subject: Subject = .offer, isQuiet: Bool = false, isUpdate: Bool = false
    ) {
        self.activity = activity
        self.subject = subject
        self.isQuiet = isQuiet
        self.isUpdate = isUpdate
    }

    package var key: OfferKey { OfferKey(activity) }

    package var canBeContinued: Bool {
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

package struct OfferKey: Hashable, Sendable {
    package var device: DeviceID
    package var activity: ActivityID

    package init(device: DeviceID, activity: ActivityID) {
        self.device = device
        self.activity = activity
    }

    package init(_ activity: ListedActivity) {
        self.init(device: activity.device, activity: activity.offer.activity)
    }
}
