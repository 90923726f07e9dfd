// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffClient
internal import HandoffWire
internal import Synchronization

/// What the app's user is doing now, so that it can be gone on with on another of the user's devices.
///
/// The interface is Apple's. Where Apple raises an exception, so does this with a precondition failure, and beside it is
/// a variant that throws: `setUserInfo(_:)`, `setWebpageURL(_:)`.
///
/// May be used from any thread. Keep a reference for as long as the activity is to be offered.
//
// Unchecked because NSObject is not Sendable; all there is beside it are two constant references to Sendable objects,
// which keep what changes behind locks.
open class NSUserActivity: NSObject, @unchecked Sendable {
    let record: ActivityRecord
    package let center: ActivityCenter

    /// An activity that can be continued in apps of the same team that declare `activityType`, a reverse-DNS name of
    /// 1 to 255 bytes, without blanks. Another text is a programming error.
    public convenience init(activityType: String) {
        self.init(activityType: activityType, center: .current)
    }

    /// Uses the first of the `NSUserActivityTypes` of the app's Info.plist; it is a programming error if there is none.
    @available(*, deprecated, message: "Use init(activityType:).")
    public override convenience init() {
        guard let activityType = ThisProcess.current.bundle?.activityTypes.first else {
            preconditionFailure("NSUserActivity.init() needs an NSUserActivityTypes entry in the app's Info.plist.")
        }
        self.init(activityType: activityType)
    }

    package convenience init(activityType: String, center: ActivityCenter) {
        let type: ActivityType
        do throws(WireError) {
            type = try ActivityType(activityType)
        } catch {
            preconditionFailure("NSUserActivity.activityType is not allowed: \(error.reason).")
        }
        self.init(type: type, content: ActivityContent(), center: center)
    }

    init(type: ActivityType, content: ActivityContent, center: ActivityCenter) {
        self.record = ActivityRecord(type: type, content: content)
        self.center = center
        super.init()
        record.state.withLock { $0.activity = self }
    }

    deinit { center.invalidate(record) }

    // MARK: What it is

    /// Fixed when the activity is made.
    open var activityType: String { record.type.name }

    /// Shown to the user on other devices. 256 characters of it are shown, and 4096 bytes arrive.
    open var title: String? {
        get { content.title }
        set { updateOffered { $0.title = newValue } }
    }

    /// What another device needs to go on: NSArray, NSData, NSDate, NSDictionary, NSNull, NSNumber, NSSet, NSString,
    /// NSURL, NSUUID and the Swift types that are theirs. Copied; replaces all that was there. Another type, at any depth,
    /// is a programming error.
    ///
    /// Up to 128 KiB encoded are delivered; 3 KiB are advised.
    open var userInfo: [AnyHashable: Any]? {
        get { content.userInfo?.foundation }
        set {
            do throws(InvalidValueError) {
                try setUserInfo(newValue)
            } catch {
                preconditionFailure(error.description)
            }
        }
    }

    /// Adds to `userInfo`; of equal keys the new value counts.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        do throws(InvalidValueError) {
            let added = try [Value: Value](foundation: otherDictionary)
            update { $0.userInfo = ($0.userInfo ?? [:]).merging(added) { _, new in new } }
        } catch {
            preconditionFailure(error.description)
        }
    }

    /// The keys that a restored activity needs; nil for all of them. Carried to the other device.
    open var requiredUserInfoKeys: Set<String>? {
        get { content.requiredUserInfoKeys }
        set { update { $0.requiredUserInfoKeys = newValue } }
    }

    /// Set this when `userInfo` is out of date: the delegate's `userActivityWillSave` is then called before the activity
    /// is sent, once however often it was set. False again when the call begins.
    open var needsSave: Bool {
        get { content.needsSave }
        set { update { $0.needsSave = newValue } }
    }

    /// The page to open where no app can go on with the activity. Its scheme is http or https; another one is a programming
    /// error.
    open var webpageURL: URL? {
        get { content.webpageURL }
        set {
            do throws(InvalidValueError) {
                try setWebpageURL(newValue)
            } catch {
                preconditionFailure(error.description)
            }
        }
    }

    /// The page that led to `webpageURL`.
    open var referrerURL: URL? {
        get { content.referrerURL }
        set { update { $0.referrerURL = newValue } }
    }

    /// After it the activity is not offered any more; nil for no such time.
    open var expirationDate: Date? {
        get { content.expirationDate }
        set { updateOffered { $0.expirationDate = newValue } }
    }

    /// Carried to the other device.
    open var keywords: Set<String> {
        get { content.keywords }
        set { update { $0.keywords = newValue } }
    }

    /// Whether the other device's app may ask for streams. False at first.
    open var supportsContinuationStreams: Bool {
        get { content.supportsContinuationStreams }
        set { updateOffered { $0.supportsContinuationStreams = newValue } }
    }

    /// Not retained.
    open weak var delegate: (any NSUserActivityDelegate)? {
        get { record.state.withLock { $0.delegate }.value }
        set {
            let delegate = WeakDelegate(value: newValue)
            record.state.withLock { $0.delegate = delegate }
        }
    }

    /// Which content this is about, for the choice of a window. Does not set `needsSave`.
    open var targetContentIdentifier: String? {
        get { content.targetContentIdentifier }
        set { update { $0.targetContentIdentifier = newValue } }
    }

    /// The app's own name for the activity.
    open var persistentIdentifier: NSUserActivityPersistentIdentifier? {
        get { content.persistentIdentifier }
        set { update { $0.persistentIdentifier = newValue } }
    }

    /// Whether other devices may go on with it. True at first; false withdraws a current activity.
    open var isEligibleForHandoff: Bool {
        get { content.isEligibleForHandoff }
        set { updateOffered { $0.isEligibleForHandoff = newValue } }
    }

    /// Kept, and of no effect here yet. False at first.
    open var isEligibleForSearch: Bool {
        get { content.isEligibleForSearch }
        set { update { $0.isEligibleForSearch = newValue } }
    }

    /// Kept, and of no effect here yet. False at first.
    open var isEligibleForPublicIndexing: Bool {
        get { content.isEligibleForPublicIndexing }
        set { update { $0.isEligibleForPublicIndexing = newValue } }
    }

    /// Kept, and of no effect here yet. False at first.
    open var isEligibleForPrediction: Bool {
        get { content.isEligibleForPrediction }
        set { update { $0.isEligibleForPrediction = newValue } }
    }

    // MARK: When it is current

    /// Makes this what the user is doing in this app; the activity that was current before is not any more. Without a
    /// daemon it is offered when one comes. No effect after `invalidate()`.
    open func becomeCurrent() { center.becomeCurrent(record) }

    /// No activity of the app is current then. It can become current again.
    open func resignCurrent() { center.resignCurrent(record) }

    /// Ends it for good: other devices do not see it any more. Dropping the last reference does the same.
    open func invalidate() { center.invalidate(record) }

    // MARK: The state behind it

    private var content: ActivityContent { record.state.withLock { $0.content } }

    func update(_ body: (inout ActivityContent) -> Void) {
        record.state.withLock { body(&$0.content) }
    }

    /// For what other devices see before their user accepts.
    func updateOffered(_ body: (inout ActivityContent) -> Void) {
        update(body)
        center.offerChanged(record)
    }
}
