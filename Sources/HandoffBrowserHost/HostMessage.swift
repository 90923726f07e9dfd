// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HandoffCore
import HandoffWire

/// Extension/README.md documents them.
enum HostMessage: Hashable, Sendable {
    /// Complete.
    case state(HostState)
    /// Answered with `place`.
    case place(request: Int, url: String)
    /// Answered with `opened`.
    case open(request: Int, url: String, PagePlace)
    /// A film in it pauses.
    case continued(url: String)
    /// Answers `goOn`, `takeBack`, `openHandoff`, and a `send` that failed.
    case answer(request: Int, HostProblem?)
    /// Answers `send`.
    case sent(request: Int, SentPage)
    /// Once for each app of the list. `data`: a `data:` URL.
    case icon(app: String, data: String)
    /// An invalid message of the extension; for its log.
    case refused(String)
}

struct HostState: Hashable, Sendable {
    var problem: HostProblem?
    var deviceName = ""
    var offers: [ShownOffer] = []
    var devices: [ShownDevice] = []
    /// Separate, because older extensions would take them for devices of the account.
    var phones: [ShownDevice] = []
    var opensHandoff = false
}

struct ShownDevice: Hashable, Sendable, Encodable {
    var device: String
    /// Distinguishes it from devices with a name that looks alike.
    var name: String
    var kind: String
    var isConnected: Bool
    /// For a phone, the connected program; `device` is then the phone's id.
    var through: String?

    /// Without this device.
    static func list(_ devices: [DeviceSummary]) -> [ShownDevice] {
        let names = DeviceNames(devices.map { ($0.device, $0.name.text) })
        return devices.inOrder.filter { !$0.isThisDevice }.prefix(BrowserLimits.devicesShown).map {
            ShownDevice(
                device: $0.device.description, name: names.shown($0.device), kind: $0.kind.shownName,
                isConnected: $0.isConnected)
        }
    }

    static func list(_ phones: [Phone]) -> [ShownDevice] {
        phones.map {
            ShownDevice(
                device: $0.id.text, name: $0.name.text, kind: $0.kind.shownName, isConnected: true,
                through: $0.link.name)
        }
    }
}

struct SentPage: Hashable, Sendable {
    var activity: String
    var deviceName: String
    /// False: kept here until the device is connected and takes it.
    var isTaken: Bool
    /// For a phone. The program does not report whether the page arrived.
    var through: String?

    init(handed phone: Phone) {
        (activity, deviceName, isTaken, through) = ("", phone.name.text, false, phone.link.name)
    }

    /// Nil for a refused page.
    init?(_ report: SendReport) {
        switch report.standing {
        case .taken: isTaken = true
        case .waiting: isTaken = false
        case .refused: return nil
        }
        activity = report.offer.activity.hex
        deviceName = report.deviceName.text
    }
}

extension DeviceKind {
    fileprivate var shownName: String { self == .unspecified ? "device" : "\(self)" }
}

/// The extension has its own strings for known codes.
struct HostProblem: Hashable, Sendable, Encodable {
    /// A name of `Failure.Code`, or `noDaemon`.
    var code: String
    /// English.
    var words: String
    /// A command that helps.
    var command: String?

    init(code: String, words: String, command: String? = nil) {
        self.code = code
        self.words = words
        self.command = command
    }

    init(_ failure: Failure) { self.init(code: "\(failure.code)", words: failure.reason) }
}

struct ShownOffer: Hashable, Sendable, Encodable {
    enum Kind: String, Sendable, Encodable {
        case app
        case page
    }

    var activity: String
    var device: String
    var deviceName: String
    var deviceKind: String
    var kind: Kind
    var targetName: String
    /// For `icon`. Nil for a page.
    var app: String?
    var browserToo: Bool
    var title: String
    var appName: String
    var host: String?
    /// Milliseconds since 1970.
    var since: Int64

    /// Nil for this device's activities, or if it cannot be shown.
    init?(_ listed: ListedActivity) {
        guard !listed.isFromThisDevice else { return nil }
        switch listed.target {
        case .app(let bundle): (kind, app) = (.app, bundle.name)
        case .webPage: kind = .page
        // The page can be shown.
        case .script where listed.offer.hasWebPage: kind = .page
        case .script, .nothing: return nil
        }
        let offer = listed.offer
        activity = offer.activity.hex
        device = listed.device.description
        deviceName = listed.deviceName.text
        deviceKind = listed.deviceKind.shownName
        targetName = listed.targetName.text
        browserToo = listed.isForBrowserToo
        title = offer.title?.text ?? ""
        appName = offer.appName.text
        host = offer.webHost?.name
        since = offer.since.milliseconds
    }
}

extension HostMessage: Encodable {
    private enum Key: String, CodingKey {
        case type, problem, deviceName, offers, devices, opensHandoff, request, url, scroll, seconds, words, activity
        case isTaken, app, data, phones, through
    }

    func encode(to encoder: any Encoder) throws {
        var form = encoder.container(keyedBy: Key.self)
        switch self {
        case .state(let state):
            try form.encode("state", forKey: .type)
            try form.encodeIfPresent(state.problem, forKey: .problem)
            try form.encode(state.deviceName, forKey: .deviceName)
            try form.encode(state.offers, forKey: .offers)
            try form.encode(state.devices, forKey: .devices)
            if !state.phones.isEmpty { try form.encode(state.phones, forKey: .phones) }
            try form.encode(state.opensHandoff, forKey: .opensHandoff)
        case .place(let request, let url):
            try form.encode("place", forKey: .type)
            try form.encode(request, forKey: .request)
            try form.encode(url, forKey: .url)
        case .open(let request, let url, let place):
            try form.encode("open", forKey: .type)
            try form.encode(request, forKey: .request)
            try form.encode(url, forKey: .url)
            try form.encodeIfPresent(place.scroll, forKey: .scroll)
            try form.encodeIfPresent(place.seconds, forKey: .seconds)
        case .continued(let url):
            try form.encode("continued", forKey: .type)
            try form.encode(url, forKey: .url)
        case .answer(let request, let problem):
            try form.encode("answer", forKey: .type)
            try form.encode(request, forKey: .request)
            try form.encodeIfPresent(problem, forKey: .problem)
        case .sent(let request, let sent):
            try form.encode("sent", forKey: .type)
            try form.encode(request, forKey: .request)
            try form.encode(sent.activity, forKey: .activity)
            try form.encode(sent.deviceName, forKey: .deviceName)
            try form.encode(sent.isTaken, forKey: .isTaken)
            try form.encodeIfPresent(sent.through, forKey: .through)
        case .icon(let app, let data):
            try form.encode("icon", forKey: .type)
            try form.encode(app, forKey: .app)
            try form.encode(data, forKey: .data)
        case .refused(let words):
            try form.encode("refused", forKey: .type)
            try form.encode(words, forKey: .words)
        }
    }

    func framed() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try NativeFrame.framed(Array(try encoder.encode(self)))
    }
}
