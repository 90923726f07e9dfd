// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// The app user's current activity, which can be continued on another of the user's devices.
///
/// ```swift
/// let activity = NSUserActivity(activityType: "com.example.reader.reading")
/// activity.title = "Chapter 3"
/// activity.userInfo = ["book": book.id, "page": 41]
/// activity.becomeCurrent()
/// ```
///
/// The interface is Apple's. If Apple raises an exception, this traps; ``setUserInfo(_:)`` and ``setWebpageURL(_:)``
/// throw instead.
///
/// May be used on any thread. Retain the activity for as long as it should be offered: releasing the last reference
/// ends it, as ``invalidate()`` does.
///
/// Two activities are equal if they are the same object. `copy()` returns the activity itself.
//
// Unchecked because NSObject is not Sendable. The only stored properties are constant references to Sendable objects,
// which guard their mutable state with locks.
open class NSUserActivity: NSObject, @unchecked Sendable {
    let record: ActivityRecord
    package let center: ActivityCenter

    /// Creates an activity that apps of the same team can continue if they declare `activityType`: a reverse-DNS name
    /// of 1 to 255 bytes without spaces. Another text is a programming error.
    ///
    /// The activity is not offered before ``becomeCurrent()``.
    ///
    /// Subclasses call this. An activity from another device is an `NSUserActivity` itself.
    public init(activityType: String) {
        record = ActivityRecord(type: Self.checkedType(activityType), content: ActivityContent())
        center = .current
        super.init()
        record.state.withLock { $0.activity = self }
    }

    /// Uses the first of the `NSUserActivityTypes` in the app's Info.plist; it is a programming error if there are
    /// none.
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

    // MARK: Properties

    /// The activity type, as apps declare it. Constant.
    open var activityType: String { record.type.name }

    /// Shown to the user on other devices. Initially nil.
    ///
    /// Other devices show up to 256 characters, on one line; the continuing app receives up to 4096 bytes.
    open var title: String? {
        get { read { $0.title } }
        set { updateOffered { $0.title = newValue } }
    }

    /// The state that another device needs to continue. Initially empty, not nil, so that `userInfo?["page"] = 41`
    /// works; never nil in an activity from another device.
    ///
    /// Keys and values are NSArray, NSData, NSDate, NSDictionary, NSNull, NSNumber, NSSet, NSString, NSURL, NSUUID and
    /// the corresponding Swift types; a nil optional becomes NSNull. The value is copied and replaces the previous one.
    /// It is a programming error to use another type at any depth, a container that contains itself, or a NaN as a key;
    /// ``setUserInfo(_:)`` throws instead.
    ///
    /// Up to 128 KiB, encoded, are delivered; keep it below 3 KiB if possible.
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

    /// Adds entries to ``userInfo``; a new value replaces that of an equal key. Unsupported values are a programming
    /// error.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        do throws(InvalidValueError) {
            let added = try [Value: Value](foundation: otherDictionary)
            // In place, because the dictionary may be large.
            update { if $0.userInfo?.add(added) == nil { $0.userInfo = added } }
        } catch {
            preconditionFailure(error.description)
        }
    }

    /// The keys of ``userInfo`` that a restored activity needs. Nil, the initial value, means all keys.
    ///
    /// The continuing device receives the whole `userInfo`. These keys are kept if the activity is saved for later, for
    /// instance by a search. The first 256 in order are sent to other devices.
    open var requiredUserInfoKeys: Set<String>? {
        get { read { $0.requiredUserInfoKeys } }
        set { update { $0.requiredUserInfoKeys = newValue } }
    }

    /// Set this when ``userInfo`` is out of date. The delegate's `userActivityWillSave` is then called once before the
    /// activity is sent. False when that call begins.
    ///
    /// Initially true, so that the delegate is asked once; false in an activity from another device.
    open var needsSave: Bool {
        get { read { $0.needsSave } }
        set { update { $0.needsSave = newValue } }
    }

    /// The web page that is opened if no app can continue the activity. Initially nil.
    ///
    /// Its scheme must be http or https and its length at most 16 KiB; anything else is a programming error, while
    /// ``setWebpageURL(_:)`` throws. It is delivered unchanged, including query, fragment, user name and password.
    /// Other devices do not receive it before the user accepts.
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

    /// The page that led to ``webpageURL``. Initially nil. Sent if it has at most 16 KiB.
    open var referrerURL: URL? {
        get { read { $0.referrerURL } }
        set { update { $0.referrerURL = newValue } }
    }

    /// The activity is not offered after this date. Nil, the initial value, means that it is offered while it is
    /// current, or until the device withdraws it after a while.
    open var expirationDate: Date? {
        get { read { $0.expirationDate } }
        set { updateOffered { $0.expirationDate = newValue } }
    }

    /// Search terms for the activity. Initially empty. The first 256 in order are sent to other devices.
    open var keywords: Set<String> {
        get { read { $0.keywords } }
        set { update { $0.keywords = newValue } }
    }

    /// The attributes that a search shows for the activity. Initially nil.
    ///
    /// The setter copies its value. The getter returns the activity's own set, and changes to it take effect. Sent to
    /// other devices.
    open var contentAttributeSet: CSSearchableItemAttributeSet? {
        get { read { $0.contentAttributeSet } }
        set {
            let copy = newValue.map { CSSearchableItemAttributeSet($0.content) }
            update { $0.contentAttributeSet = copy }
        }
    }

    /// Whether the continuing app may request streams. Initially false; may change at any time.
    open var supportsContinuationStreams: Bool {
        get { read { $0.supportsContinuationStreams } }
        set { updateOffered { $0.supportsContinuationStreams = newValue } }
    }

    /// Notified when the activity is about to be sent and when it was continued. Not retained. Initially nil.
    open weak var delegate: (any NSUserActivityDelegate)? {
        get { record.state.withLock { $0.delegate }.value }
        set {
            let delegate = WeakDelegate(value: newValue)
            record.state.withLock { $0.delegate = delegate }
        }
    }

    /// Identifies the content, for choosing a window and for finding an open document; not shown to users. Initially
    /// nil. Setting it does not set ``needsSave``. Sent to other devices.
    open var targetContentIdentifier: String? {
        get { read { $0.targetContentIdentifier } }
        set { update { $0.targetContentIdentifier = newValue } }
    }

    /// The app's own name for the activity if it is saved for later. Initially nil. Sent to other devices.
    open var persistentIdentifier: NSUserActivityPersistentIdentifier? {
        get { read { $0.persistentIdentifier } }
        set { update { $0.persistentIdentifier = newValue } }
    }

    /// Whether other devices may continue the activity. Initially true. False withdraws a current activity; set it
    /// before ``becomeCurrent()`` to never offer a private one.
    open var isEligibleForHandoff: Bool {
        get { read { $0.isEligibleForHandoff } }
        set { updateOffered { $0.isEligibleForHandoff = newValue } }
    }

    /// Whether this device's search may find the activity. Initially false. Stored and sent; there is no index yet.
    open var isEligibleForSearch: Bool {
        get { read { $0.isEligibleForSearch } }
        set { update { $0.isEligibleForSearch = newValue } }
    }

    /// Whether other people may find the activity. Initially false; has no effect without ``requiredUserInfoKeys`` or
    /// ``webpageURL``. Stored and sent; there is no index yet.
    open var isEligibleForPublicIndexing: Bool {
        get { read { $0.isEligibleForPublicIndexing } }
        set { update { $0.isEligibleForPublicIndexing = newValue } }
    }

    /// Whether the activity may be suggested to the user later. Initially false; has no effect without
    /// ``isEligibleForSearch`` or if the activity was never current. Stored and sent; there are no suggestions yet.
    open var isEligibleForPrediction: Bool {
        get { read { $0.isEligibleForPrediction } }
        set { update { $0.isEligibleForPrediction = newValue } }
    }

    // MARK: Being current

    /// Makes this the app's current activity instead of the previous one. Without a daemon, it is offered as soon as
    /// there is one. Has no effect after ``invalidate()``.
    ///
    /// This is cheap enough to call on every change: other devices receive a burst of eight changes, then the newest
    /// state every quarter of a second.
    open func becomeCurrent() { center.becomeCurrent(record) }

    /// Leaves the app without a current activity. This activity can become current again. Has no effect if it is not
    /// current.
    open func resignCurrent() { center.resignCurrent(record) }

    /// Ends the activity permanently and withdraws it from other devices. Releasing the last reference does the same.
    open func invalidate() { center.invalidate(record) }

    // MARK: Description

    /// For logs: the class, the type, the quoted title, and whether the activity is current. No other state.
    open override var description: String { describe(details: []) }

    /// For a debugger: `description` with the keys of ``userInfo`` and other properties, but without values of
    /// `userInfo` or passwords in URLs.
    open override var debugDescription: String { describe(details: content.details) }

    private func describe(details: [String]) -> String {
        let content = content
        var parts = ["\(type(of: self)): \(ObjectIdentifier(self).hexadecimal) type: \(activityType)"]
        if let title = content.title { parts.append("title: \"\(DisplayText(cleaning: title))\"") }
        if isCurrent { parts.append("current") }
        return "<" + (parts + details).joined(separator: "; ") + ">"
    }

    // MARK: State

    var content: ActivityContent { read { $0 } }

    /// Reads one property without copying all.
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

    /// For properties that other devices see before the user accepts.
    func updateOffered(_ body: (inout ActivityContent) -> Void) {
        update(body)
        center.offerChanged(record)
    }
}
