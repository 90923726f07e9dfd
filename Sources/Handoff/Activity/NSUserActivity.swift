// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// The user's activity, which can be continued on their other devices.
///
/// ```swift
/// let activity = NSUserActivity(activityType: "com.example.reader.reading")
/// activity.title = "Chapter 3"
/// activity.userInfo = ["book": book.id, "page": 41]
/// activity.becomeCurrent()
/// ```
///
/// The interface is Apple's. If Apple raises an exception, this traps; ``setUserInfo(_:)`` and ``setWebpageURL(_:)``
/// throw.
///
/// May be used on any thread. Retain the activity while it should be offered: releasing the last reference ends it, as
/// ``invalidate()`` does. Equality is identity; `copy()` returns the activity itself. Initially, optional properties
/// are nil and flags false, unless stated otherwise.
//
// Unchecked because NSObject is not Sendable. The stored properties are constant references to Sendable objects, which
// guard their mutable state with locks.
open class NSUserActivity: NSObject, @unchecked Sendable {
    let record: ActivityRecord
    package let center: ActivityCenter

    /// Creates an activity for apps of the same team that declare `activityType`: a reverse-DNS name of 1 to 255 bytes
    /// without spaces. Traps for another text.
    ///
    /// An activity from another device is never a subclass.
    public init(activityType: String) {
        record = ActivityRecord(type: Self.checkedType(activityType), content: ActivityContent())
        center = .current
        super.init()
        record.state.withLock { $0.activity = self }
    }

    /// Uses the first of the `NSUserActivityTypes` in the app's Info.plist. Traps if there are none.
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

    /// Shown on other devices, up to 256 characters on one line. The continuing app receives up to 4096 bytes.
    open var title: String? {
        get { read { $0.title } }
        set { updateOffered { $0.title = newValue } }
    }

    /// The state that another device needs to continue. Initially empty, so that `userInfo?["page"] = 41` works; never
    /// nil in an activity from another device.
    ///
    /// Keys and values are NSArray, NSData, NSDate, NSDictionary, NSNull, NSNumber, NSSet, NSString, NSURL, NSUUID and
    /// the corresponding Swift types; a nil optional becomes NSNull. The setter copies. It traps for other types at any
    /// depth, a container in itself, or a NaN as a key; ``setUserInfo(_:)`` throws.
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

    /// Adds entries to ``userInfo``, replacing equal keys. Traps for unsupported values.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        do throws(InvalidValueError) {
            let added = try [Value: Value](foundation: otherDictionary)
            // In place, because the dictionary may be large.
            update { if $0.userInfo?.add(added) == nil { $0.userInfo = added } }
        } catch {
            preconditionFailure(error.description)
        }
    }

    /// The keys of ``userInfo`` to keep if the activity is saved for later, as by a search. Nil means all.
    ///
    /// The continuing device receives the whole `userInfo`, and the first 256 of these keys in order.
    open var requiredUserInfoKeys: Set<String>? {
        get { read { $0.requiredUserInfoKeys } }
        set { update { $0.requiredUserInfoKeys = newValue } }
    }

    /// Set this when ``userInfo`` is out of date: before sending, this becomes false and the delegate's
    /// `userActivityWillSave` is called once. Initially true; false in an activity from another device.
    open var needsSave: Bool {
        get { read { $0.needsSave } }
        set { update { $0.needsSave = newValue } }
    }

    /// The web page to open if no app can continue the activity.
    ///
    /// The setter traps unless the scheme is http or https and the length at most 16 KiB; ``setWebpageURL(_:)`` throws.
    /// Delivered unchanged, including user name and password, only after the user accepts.
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

    /// The page that led to ``webpageURL``. Sent up to 16 KiB.
    open var referrerURL: URL? {
        get { read { $0.referrerURL } }
        set { update { $0.referrerURL = newValue } }
    }

    /// When the activity stops being offered. Nil: while it is current, or until the device withdraws it.
    open var expirationDate: Date? {
        get { read { $0.expirationDate } }
        set { updateOffered { $0.expirationDate = newValue } }
    }

    /// Search terms. The first 256 in order are sent to other devices.
    open var keywords: Set<String> {
        get { read { $0.keywords } }
        set { update { $0.keywords = newValue } }
    }

    /// The attributes that a search shows. Sent to other devices. The setter copies; the getter returns the activity's
    /// own set.
    open var contentAttributeSet: CSSearchableItemAttributeSet? {
        get { read { $0.contentAttributeSet } }
        set {
            let copy = newValue.map { CSSearchableItemAttributeSet($0.content) }
            update { $0.contentAttributeSet = copy }
        }
    }

    /// Whether the continuing app may request streams. May change at any time.
    open var supportsContinuationStreams: Bool {
        get { read { $0.supportsContinuationStreams } }
        set { updateOffered { $0.supportsContinuationStreams = newValue } }
    }

    /// Notified before the activity is sent and after it was continued. Not retained.
    open weak var delegate: (any NSUserActivityDelegate)? {
        get { record.state.withLock { $0.delegate }.value }
        set {
            let delegate = WeakDelegate(value: newValue)
            record.state.withLock { $0.delegate = delegate }
        }
    }

    /// Identifies the content, to choose a window or an open document. Does not set ``needsSave``. Sent to other
    /// devices.
    open var targetContentIdentifier: String? {
        get { read { $0.targetContentIdentifier } }
        set { update { $0.targetContentIdentifier = newValue } }
    }

    /// The app's name for the activity if it is saved for later. Sent to other devices.
    open var persistentIdentifier: NSUserActivityPersistentIdentifier? {
        get { read { $0.persistentIdentifier } }
        set { update { $0.persistentIdentifier = newValue } }
    }

    /// Whether other devices may continue the activity. Initially true. False withdraws a current activity; set it
    /// before ``becomeCurrent()`` if the activity is private.
    open var isEligibleForHandoff: Bool {
        get { read { $0.isEligibleForHandoff } }
        set { updateOffered { $0.isEligibleForHandoff = newValue } }
    }

    /// Whether this device's search may find the activity: `handoff history`.
    open var isEligibleForSearch: Bool {
        get { read { $0.isEligibleForSearch } }
        set { updateOffered { $0.isEligibleForSearch = newValue } }
    }

    /// Whether other people may find the activity; needs ``requiredUserInfoKeys`` or ``webpageURL``. Stored and sent;
    /// this system has no public index.
    open var isEligibleForPublicIndexing: Bool {
        get { read { $0.isEligibleForPublicIndexing } }
        set { update { $0.isEligibleForPublicIndexing = newValue } }
    }

    /// Whether the activity may be suggested to the user; needs ``isEligibleForSearch``, and to have been current.
    /// Stored and sent; this system has no suggestions.
    open var isEligibleForPrediction: Bool {
        get { read { $0.isEligibleForPrediction } }
        set { update { $0.isEligibleForPrediction = newValue } }
    }

    // MARK: Being current

    /// Makes this the app's current activity, offered as soon as the daemon runs. Has no effect after ``invalidate()``.
    ///
    /// Cheap enough for every change: other devices receive a burst of eight, then the newest state every quarter of a
    /// second.
    open func becomeCurrent() { center.becomeCurrent(record) }

    /// Leaves the app without a current activity if this is it. It can become current again.
    open func resignCurrent() { center.resignCurrent(record) }

    /// Ends the activity permanently and withdraws it from other devices, as releasing the last reference does.
    open func invalidate() { center.invalidate(record) }

    // MARK: Description

    /// For logs: only the class, type, quoted title, and whether the activity is current.
    open override var description: String { describe(details: []) }

    /// For a debugger: adds properties and the keys of ``userInfo``, without its values and passwords in URLs.
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
