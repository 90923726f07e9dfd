// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

struct PublishedActivity {
    let id: ActivityID
    let type: ActivityType
    let title: String?
    /// A dictionary, or nil.
    let userInfo: Value?
    let webpageURL: String?
    let source: StreamSource?

    var publication: Publication {
        Publication(
            activity: id, type: type, title: title.map { DisplayText(cleaning: $0) }, supportsStreams: source != nil,
            hasWebPage: webpageURL != nil, webHost: WebURL.offeredHost(of: webpageURL, type))
    }

    /// A streamed file may have grown.
    func state() throws(CommandFailure) -> ActivityState {
        var info = userInfo
        if let byteCount = try source?.byteCount() { info = StreamSize.add(byteCount, to: info ?? .dictionary([:])) }
        do throws(WireError) {
            return ActivityState(
                type: type, title: title, userInfo: try info?.encoded() ?? [], webpageURL: webpageURL)
        } catch {
            throw .usage("the user info is too large: \(error.reason)")
        }
    }
}

struct PublishEvent: Renderable {
    let event: String
    let activity: String
    var deviceName: String?
    var bytes: UInt64?
    var seconds: Double?
    var code: String?
    var reason: String?

    func text(_ terminal: Terminal) -> String {
        let device = deviceName ?? ""
        let size = bytes.map { Int64(clamping: $0).inBytes }
        switch event {
        case "continued": return "continued on \(device)"
        case "streaming": return "streaming \(size.map { $0 + " " } ?? "")to \(device)"
        case "streamed":
            return "\(device) has it: \(size ?? "") in \(Duration.seconds(seconds ?? 0).inBrief)"
        case "streamFailed": return "not streamed to \(device): \(reason ?? "")"
        default: return "offered as \(activity.prefix(8))"
        }
    }
}

extension PublishEvent {
    init(_ report: StreamServing.Report, activity: ActivityID) {
        switch report {
        case .began(let device, let count):
            self.init(
                event: "streaming", activity: activity.hex, deviceName: device, bytes: count.map { UInt64($0) })
        case .delivered(let device, let count, let duration):
            self.init(
                event: "streamed", activity: activity.hex, deviceName: device, bytes: count,
                seconds: duration.inSeconds)
        case .failed(let device, let count, let failure):
            self.init(
                event: "streamFailed", activity: activity.hex, deviceName: device, bytes: UInt64(count),
                code: failure.code, reason: failure.reason)
        }
    }
}
