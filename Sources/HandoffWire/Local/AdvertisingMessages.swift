// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage {
    package enum Advertising: Hashable, Sendable {
        case publish(Publication)
        case withdraw(ActivityID)
        /// Nil: no longer.
        case withhold(WithheldActivity?)
        /// Since the last save.
        case changed(ActivityID)
        case deleteSaved(SavedActivities)
        /// `withFiles`: another device is fetching the state.
        case save(ActivityID, deadline: Duration, withFiles: Bool = false)
        case saved(ActivityState, saving: Duration, files: [SavedFile] = [])
        case listActivities(watch: Bool, all: Bool)
        case activityList([ListedActivity])
    }
}

package struct Publication: Hashable, Sendable {
    package var activity: ActivityID
    package var type: ActivityType
    package var title: DisplayText?
    package var supportsStreams: Bool
    package var hasWebPage: Bool
    package var expires: WallTime?
    package var webHost: WebHost?

    package init(
        activity: ActivityID, type: ActivityType, title: DisplayText? = nil, supportsStreams: Bool = false,
        hasWebPage: Bool = false, expires: WallTime? = nil, webHost: WebHost? = nil
    ) {
        self.activity = activity
        self.type = type
        self.title = title
        self.supportsStreams = supportsStreams
        self.hasWebPage = hasWebPage
        self.expires = expires
        self.webHost = webHost
    }
}

/// Current, and not eligible for Handoff.
package struct WithheldActivity: Hashable, Sendable {
    package var type: ActivityType
    /// Nil if it is not eligible for search, so that its state is not requested.
    package var activity: ActivityID?

    package init(_ type: ActivityType, activity: ActivityID? = nil) {
        self.type = type
        self.activity = activity
    }
}

package struct ListedActivity: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        case app(BundleID)
        case webPage
        case script
        case nothing(String)
    }

    package var offer: Offer
    package var device: DeviceID
    package var deviceName: DisplayText
    package var deviceKind: DeviceKind
    package var isFromThisDevice: Bool
    package var target: Target
    package var targetName: DisplayText
    package var isForBrowserToo: Bool
    /// Continues without its origin.
    package var isSent: Bool

    package var isContinuable: Bool {
        if case .nothing = target { false } else { true }
    }

    package init(
        offer: Offer, device: DeviceID, deviceName: DisplayText, deviceKind: DeviceKind, isFromThisDevice: Bool,
        target: Target, targetName: DisplayText, isForBrowserToo: Bool = false, isSent: Bool = false
    ) {
        self.offer = offer
        self.device = device
        self.deviceName = deviceName
        self.deviceKind = deviceKind
        self.isFromThisDevice = isFromThisDevice
        self.target = target
        self.targetName = targetName
        self.isForBrowserToo = isForBrowserToo
        self.isSent = isSent
    }
}

extension LocalMessage.Advertising {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .publish(let publication): .publish(PBPublishActivity(publication))
        case .withdraw(let activity): .withdraw(.with { $0.activity = activity.bytes.data })
        case .withhold(let withheld):
            .withhold(
                .with {
                    $0.activityType = withheld?.type.name ?? ""
                    if let activity = withheld?.activity { $0.activity = activity.bytes.data }
                })
        case .changed(let activity): .changed(.with { $0.activity = activity.bytes.data })
        case .deleteSaved(let saved): .deleteSaved(PBDeleteSaved(saved))
        case .save(let activity, let deadline, let withFiles):
            .save(
                .with {
                    $0.activity = activity.bytes.data
                    $0.deadlineMs = UInt32(clamping: deadline.wholeMilliseconds)
                    $0.withFiles = withFiles
                })
        case .saved(let state, let saving, let files):
            .saved(
                .with {
                    $0.state = PBActivityState(state)
                    $0.saveMicroseconds = UInt32(clamping: saving.wholeMicroseconds)
                    $0.files = files.map(PBSavedFile.init)
                })
        case .listActivities(let watch, let all):
            .listActivities(
                .with {
                    $0.watch = watch
                    $0.all = all
                })
        case .activityList(let activities):
            .activityList(.with { $0.activities = activities.map(PBListedActivity.init) })
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .publish(let publication): self = .publish(try Publication(publication))
        case .withdraw(let withdraw): self = .withdraw(try ActivityID(bytes: withdraw.activity))
        case .withhold(let withhold):
            self = .withhold(try WithheldActivity(withhold))
        case .changed(let changed): self = .changed(try ActivityID(bytes: changed.activity))
        case .deleteSaved(let message): self = .deleteSaved(try SavedActivities(message))
        case .save(let save):
            self = .save(
                try ActivityID(bytes: save.activity), deadline: .milliseconds(Int64(save.deadlineMs)),
                withFiles: save.withFiles)
        case .saved(let saved):
            self = .saved(
                try ActivityState(saved.state), saving: .microseconds(Int64(saved.saveMicroseconds)),
                files: try [SavedFile](saved.files))
        case .listActivities(let list): self = .listActivities(watch: list.watch, all: list.all)
        case .activityList(let list):
            var activities: [ListedActivity] = []
            for activity in list.activities { activities.append(try ListedActivity(activity)) }
            self = .activityList(activities)
        default: return nil
        }
    }
}

extension PBPublishActivity {
    init(_ publication: Publication) {
        self.init()
        activity = publication.activity.bytes.data
        activityType = publication.type.name
        if let text = publication.title?.text { title = text }
        supportsStreams = publication.supportsStreams
        hasWebPage_p = publication.hasWebPage
        if let expires = publication.expires { expiresMs = expires.milliseconds }
        webHost = publication.webHost?.name ?? ""
    }
}

extension Publication {
    init(_ message: PBPublishActivity) throws(WireError) {
        self.init(
            activity: try ActivityID(bytes: message.activity), type: try ActivityType(message.activityType),
            title: message.hasTitle ? DisplayText(cleaning: message.title) : nil,
            supportsStreams: message.supportsStreams, hasWebPage: message.hasWebPage_p,
            expires: message.hasExpiresMs ? WallTime(milliseconds: message.expiresMs) : nil,
            webHost: message.webHost.isEmpty ? nil : try WebHost(wire: message.webHost))
    }
}

extension WithheldActivity {
    init?(_ message: PBWithholdActivity) throws(WireError) {
        guard !message.activityType.isEmpty else { return nil }
        self.init(
            try ActivityType(message.activityType),
            activity: message.activity.isEmpty ? nil : try ActivityID(bytes: message.activity))
    }
}

extension PBDeleteSaved {
    init(_ saved: SavedActivities) {
        self.init()
        switch saved {
        case .all: all = true
        case .named(let identifiers): persistentIdentifiers = identifiers.sorted().map(\.text)
        }
    }
}

extension SavedActivities {
    init(_ message: PBDeleteSaved) throws(WireError) {
        guard message.persistentIdentifiers.count <= Limits.deletedIdentifiers else {
            throw WireError(.limitReached, "more than \(Limits.deletedIdentifiers) identifiers")
        }
        self = message.all ? .all : .named(Set(message.persistentIdentifiers.map { ExactText($0) }))
    }
}

extension SavedActivities {
    /// Throws `.limitReached` above `Limits.deletedIdentifiers`.
    package func encoded() throws(WireError) -> [UInt8] {
        let message = PBDeleteSaved(self)
        _ = try SavedActivities(message)
        return try message.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        try self.init(PBDeleteSaved.decode(bytes))
    }
}

extension PBListedActivity {
    init(_ listed: ListedActivity) {
        self.init()
        offer = PBOffer(listed.offer)
        device = listed.device.bytes.data
        deviceName = listed.deviceName.text
        deviceKind = PBDeviceKind(rawValue: listed.deviceKind.rawValue) ?? .unspecified
        fromThisDevice = listed.isFromThisDevice
        switch listed.target {
        case .app(let bundle): target = .appBundle(bundle.name)
        case .webPage: target = .webPage(true)
        case .script: target = .script(true)
        case .nothing(let why): target = .nothing(why)
        }
        targetName = listed.targetName.text
        browserToo = listed.isForBrowserToo
        sent = listed.isSent
    }
}

extension ListedActivity {
    init(_ message: PBListedActivity) throws(WireError) {
        let target: Target
        switch message.target {
        case .appBundle(let bundle)?: target = .app(try BundleID(appOrProgram: bundle))
        case .webPage?: target = .webPage
        case .script?: target = .script
        case .nothing(let why)?: target = .nothing(why)
        case nil: target = .nothing("of a kind that this version does not know")
        }
        self.init(
            offer: try Offer(message.offer), device: try DeviceID(bytes: message.device),
            deviceName: .name(message.deviceName), deviceKind: DeviceKind(message.deviceKind),
            isFromThisDevice: message.fromThisDevice, target: target, targetName: .name(message.targetName),
            isForBrowserToo: message.browserToo, isSent: message.sent)
    }
}
