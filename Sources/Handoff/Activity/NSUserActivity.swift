// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// What the app's user is doing now, so that it can be continued on another of the user's devices.
///
/// ```swift
/// let activity = NSUserActivity(activityType: "com.example.reader.reading")
/// activity.title = "Chapter 3"
/// activity.userInfo = ["book": book.id, "page": 41]
/// activity.becomeCurrent()
/// ```
///
/// The interface is Apple's. Where Apple raises an exception, so does this with a precondition failure, and beside it is
/// a variant that throws: ``setUserInfo(_:)``, ``setWebpageURL(_:)``.
///
/// May be used from any thread. Keep a reference for as long as the activity is to be offered: dropping the last one ends
/// it as ``invalidate()`` does.
///
/// Two activities are equal if they are the same object. An activity cannot be copied: `copy()` returns the activity
/// itself.
//
// Unchecked because NSObject is not Sendable; all there is beside it are two constant references to Sendable objects,
// which keep what changes behind locks.
open class NSUserActivity: NSObject, @unchecked Sendable {
    let record: ActivityRecord
    package let center: ActivityCenter

    /// An activity that can be continued in apps of the same team that declare `activityType`, a reverse-DNS name of
    /// 1 to 255 bytes, without blanks. Another text is a programming error.
    ///
    /// It is not offered before ``becomeCurrent()``.
    ///
    /// A subclass calls it; what comes from another device is an `NSUserActivity` itself.
    public init(activityType: String) {
        record = ActivityRecord(type: Self.checkedType(activityType), content: ActivityContent())
        center = .current
        super.init()
        record.state.withLock { $0.activity = self }
    }

    /// Uses the first of the `NSUserActivityTypes` of the app's Info.plist; it is a programming error if there is none.
    @available(*, deprecated, message: "Use init(activityType:).")
    public override convenience init() {
        self.init(declaredBy: ThisProcess.current.bundle, center: .current)
    }

    convenience init(declaredBy bundle: AppBundle?, center: ActivityCenter) {
        guard let activityType = bundle?.activityTypes.first else {
            preconditionFailure("NSUserActivity.init() needs an NSUserActivityTypes entry in the app's Info.plist.")
        }
        self.init(activityType: activityType, center: center)
    }

    package convenience init(activityType: String, center: ActivityCenter) {
        self.init(type: Self.checkedType(activityType), content: ActivityContent(), center: center)
    }

    private static func checkedType(_ name: String) -> ActivityType {
        do throws(WireError) {
            return try ActivityType(name)
        } catch {
            preconditionFailure("NSUserActivity.activityType is not allowed: \(error.reason).")
        }
    }

    init(type: ActivityType, content: ActivityContent, center: ActivityCenter) {
        self.record = ActivityRecord(type: type, content: content)
        self.center = center
        super.init()
        record.state.withLock { $0.activity = self }
    }

    deinit { center.invalidate(record) }

    // MARK: What it is

    /// What kind of activity this is, as apps declare it. Fixed when the activity is made.
    open var activityType: String { record.type.name }

    /// Shown to the user on other devices. Nil at first.
    ///
    /// The first 256 characters are shown there, on one line; 4096 bytes arrive in the app that goes on.
    open var title: String? {
        get { read { $0.title } }
        set { updateOffered { $0.title = newValue } }
    }

    /// What another device needs to go on. Empty at first, and not nil, so that `userInfo?["page"] = 41` counts; in an
    /// activity that comes from another device it is never nil.
    ///
    /// Keys and values are NSArray, NSData, NSDate, NSDictionary, NSNull, NSNumber, NSSet, NSString, NSURL, NSUUID and the
    /// Swift types that are theirs; nil in an optional is NSNull. What is set is copied, and replaces all that was there.
    /// Another type, at any depth, a container that holds itself, and a NaN as a key are programming errors;
    /// ``setUserInfo(_:)`` throws instead.
    ///
    /// Up to 128 KiB encoded are delivered; 3 KiB are advised.
    open var userInfo: [AnyHashable: Any]? {
        get { read { $0.userInfo }?.foundation }
        set {
            do throws(InvalidValueError) {
                try setUserInfo(newValue)
            } catch {
                preconditionFailure(error.description)
            }
        }
    }

    /// Adds to ``userInfo``; of equal keys the new value counts. What `userInfo` cannot hold is a programming error.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        do throws(InvalidValueError) {
            let added = try [Value: Value](foundation: otherDictionary)
            // In place: there may be much of it.
            update { if $0.userInfo?.add(added) == nil { $0.userInfo = added } }
        } catch {
            preconditionFailure(error.description)
        }
    }

    /// The keys of ``userInfo`` that a restored activity needs; nil, as at first, for all of them.
    ///
    /// All of `userInfo` goes to the device that goes on at once. These are the keys that are kept where the activity is
    /// kept for later, by a search for instance. Carried to the other device, the first 256 in order.
    open var requiredUserInfoKeys: Set<String>? {
        get { read { $0.requiredUserInfoKeys } }
        set { update { $0.requiredUserInfoKeys = newValue } }
    }

    /// Set this when ``userInfo`` is out of date: the delegate's `userActivityWillSave` is then called before the activity
    /// is sent, once however often it was set. False when that call begins.
    ///
    /// True at first, so that who fills in the state is asked once without having said so; false in an activity that comes
    /// from another device.
    open var needsSave: Bool {
        get { read { $0.needsSave } }
        set { update { $0.needsSave = newValue } }
    }

    /// The page to open where no app can continue the activity. Nil at first.
    ///
    /// Its scheme is http or https, and it has at most 16 KiB; anything else is a programming error, where
    /// ``setWebpageURL(_:)`` throws. It arrives byte for byte, with query and fragment, and with a user name or a password
    /// if it has them; other devices see none of it before their user accepts.
    open var webpageURL: URL? {
        get { read { $0.webpageURL } }
        set {
            do throws(InvalidValueError) {
                try setWebpageURL(newValue)
            } catch {
                preconditionFailure(error.description)
            }
        }
    }

    /// The page that led to ``webpageURL``. Nil at first. Travels if it has at most 16 KiB.
    open var referrerURL: URL? {
        get { read { $0.referrerURL } }
        set { update { $0.referrerURL = newValue } }
    }

    /// After it the activity is not offered any more. Nil, as at first: it is offered for as long as it is current, or
    /// until the device lets it go after a while of its own choosing.
    open var expirationDate: Date? {
        get { read { $0.expirationDate } }
        set { updateOffered { $0.expirationDate = newValue } }
    }

    /// Words by which the activity would be looked for. Empty at first. Carried to the other device, the first 256 in
    /// order.
    open var keywords: Set<String> {
        get { read { $0.keywords } }
        set { update { $0.keywords = newValue } }
    }

    /// What a search would show of the activity. Nil at first.
    ///
    /// What is set is copied. What is returned is the activity's own set: changes to it count. Carried to the other device.
    open var contentAttributeSet: CSSearchableItemAttributeSet? {
        get { read { $0.contentAttributeSet } }
        set {
            let copy = newValue.map { CSSearchableItemAttributeSet($0.content) }
            update { $0.contentAttributeSet = copy }
        }
    }

    /// Whether the other device's app may ask for streams. False at first; may be changed at any time.
    open var supportsContinuationStreams: Bool {
        get { read { $0.supportsContinuationStreams } }
        set { updateOffered { $0.supportsContinuationStreams = newValue } }
    }

    /// Told when the activity is about to be sent and when it was continued. Not retained. Nil at first.
    open weak var delegate: (any NSUserActivityDelegate)? {
        get { record.state.withLock { $0.delegate }.value }
        set {
            let delegate = WeakDelegate(value: newValue)
            record.state.withLock { $0.delegate = delegate }
        }
    }

    /// Which content this is about, for the choice of a window and for finding a document that is open already; people do
    /// not see it. Nil at first. Setting it does not set ``needsSave``. Carried to the other device.
    open var targetContentIdentifier: String? {
        get { read { $0.targetContentIdentifier } }
        set { update { $0.targetContentIdentifier = newValue } }
    }

    /// The app's own name for the activity where it is kept for later. Nil at first. Carried to the other device.
    open var persistentIdentifier: NSUserActivityPersistentIdentifier? {
        get { read { $0.persistentIdentifier } }
        set { update { $0.persistentIdentifier = newValue } }
    }

    /// Whether other devices may continue it. True at first; false withdraws a current activity, and keeps a private one
    /// from being offered at all.
    open var isEligibleForHandoff: Bool {
        get { read { $0.isEligibleForHandoff } }
        set { updateOffered { $0.isEligibleForHandoff = newValue } }
    }

    /// Whether this device's search may find it. False at first. Kept and carried; there is no index yet.
    open var isEligibleForSearch: Bool {
        get { read { $0.isEligibleForSearch } }
        set { update { $0.isEligibleForSearch = newValue } }
    }

    /// Whether other people may find it. False at first; without ``requiredUserInfoKeys`` or ``webpageURL`` it has no
    /// effect. Kept and carried; there is no index yet.
    open var isEligibleForPublicIndexing: Bool {
        get { read { $0.isEligibleForPublicIndexing } }
        set { update { $0.isEligibleForPublicIndexing = newValue } }
    }

    /// Whether it may be suggested to the user later. False at first; without ``isEligibleForSearch``, and for an activity
    /// that was never current, it has no effect. Kept and carried; there are no suggestions yet.
    open var isEligibleForPrediction: Bool {
        get { read { $0.isEligibleForPrediction } }
        set { update { $0.isEligibleForPrediction = newValue } }
    }

    // MARK: When it is current

    /// Makes this what the user is doing in this app; the activity that was current before is not any more. Without a
    /// daemon it is offered when one comes. No effect after ``invalidate()``.
    ///
    /// Cheap enough to be called at every turn: other devices hear of eight changes at once, and then of the newest state
    /// every quarter of a second.
    open func becomeCurrent() { center.becomeCurrent(record) }

    /// No activity of the app is current then. It can become current again. No effect on one that is not current.
    open func resignCurrent() { center.resignCurrent(record) }

    /// Ends it for good: other devices do not see it any more. Dropping the last reference does the same.
    open func invalidate() { center.invalidate(record) }

    // MARK: How it is described

    /// For logs: the class, the type, the title in quotes, and whether it is current. No other state.
    open override var description: String { describe(details: []) }

    /// For a debugger: as `description`, with the names of the keys in ``userInfo`` and what else is set, but no values of
    /// `userInfo` and no password of a URL.
    open override var debugDescription: String { describe(details: content.details) }

    private func describe(details: [String]) -> String {
        let content = content
        var parts = ["\(type(of: self)): \(ObjectIdentifier(self).hexadecimal) type: \(activityType)"]
        if let title = content.title { parts.append("title: \"\(DisplayText(cleaning: title))\"") }
        if isCurrent { parts.append("current") }
        return "<" + (parts + details).joined(separator: "; ") + ">"
    }

    // MARK: The state behind it

    var content: ActivityContent { read { $0 } }

    /// One property without a copy of all the others.
    @inline(__always)
    func read<Value: Sendable>(_ property: (ActivityContent) -> Value) -> Value {
        record.state.withLock { property($0.content) }
    }

    var isCurrent: Bool { center.isCurrent(record) }

    func update(_ body: (inout ActivityContent) -> Void) {
        let wasSaved = record.state.withLock { state in
            body(&state.content)
            defer { state.isSaved = false }
            return state.isSaved
        }
        if wasSaved { center.stateChanged(record) }
    }

    /// For what other devices see before their user accepts.
    func updateOffered(_ body: (inout ActivityContent) -> Void) {
        update(body)
        center.offerChanged(record)
    }
}
