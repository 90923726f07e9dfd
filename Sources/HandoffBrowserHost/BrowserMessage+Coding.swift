// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HandoffWire

extension BrowserMessage {
    /// The type determines which are used.
    private struct Form: Codable {
        var type: String
        var browser: String?
        var url: String?
        var title: String?
        var request: Int?
        var activity: String?
        var device: String?
        var phone: String?
        var inBrowser: Bool?
        var scroll: Double?
        var seconds: Double?
        var problem: String?
    }

    package init(json bytes: [UInt8]) throws(BrowserMessageError) {
        let form: Form
        do {
            form = try JSONDecoder().decode(Form.self, from: Data(bytes))
        } catch {
            throw BrowserMessageError("it is not a JSON object with a type")
        }
        try self.init(form)
    }

    private init(_ form: Form) throws(BrowserMessageError) {
        switch form.type {
        case "hello": self = .hello(browser: try Self.need(form.browser, "browser"))
        case "page": self = .page(try Self.page(form))
        case "left": self = .left
        case "look": self = .look
        case "goOn":
            self = .goOn(
                request: try Self.request(form), activity: try Self.activity(form), device: try Self.device(form),
                inBrowser: form.inBrowser ?? false)
        case "place": self = .place(request: try Self.request(form), try Self.place(form))
        case "opened": self = .opened(request: try Self.request(form), problem: form.problem)
        case "send":
            self = .send(
                request: try Self.request(form), page: try Self.page(form), to: try Self.receiver(form),
                try Self.place(form))
        case "takeBack": self = .takeBack(request: try Self.request(form), activity: try Self.activity(form))
        case "openHandoff": self = .openHandoff(request: try Self.request(form))
        default: self = .unknown(form.type)
        }
    }

    private static func need<Value>(_ value: Value?, _ key: String) throws(BrowserMessageError) -> Value {
        guard let value else { throw BrowserMessageError("it lacks \(key)") }
        return value
    }

    private static func request(_ form: Form) throws(BrowserMessageError) -> Int { try need(form.request, "request") }

    private static func page(_ form: Form) throws(BrowserMessageError) -> BrowsedPage {
        BrowsedPage(url: try need(form.url, "url"), title: form.title ?? "")
    }

    private static func place(_ form: Form) throws(BrowserMessageError) -> PagePlace {
        let place = PagePlace(scroll: form.scroll, seconds: form.seconds)
        guard place.scroll == form.scroll else { throw BrowserMessageError("scroll must be between 0 and 1") }
        guard place.seconds == form.seconds else {
            throw BrowserMessageError("seconds must be between 0 and \(Int(BrowserLimits.maximumSeconds))")
        }
        return place
    }

    private static func activity(_ form: Form) throws(BrowserMessageError) -> ActivityID {
        do throws(WireError) {
            return try ActivityID(hex: form.activity ?? "")
        } catch {
            throw BrowserMessageError("it names no activity")
        }
    }

    private static func device(_ form: Form) throws(BrowserMessageError) -> DeviceID? {
        guard let text = form.device else { return nil }
        do throws(WireError) {
            return try DeviceID(text: text)
        } catch {
            throw BrowserMessageError("it names no device: \(error.reason)")
        }
    }

    private static func receiver(_ form: Form) throws(BrowserMessageError) -> PageReceiver {
        guard let phone = form.phone else { return .device(try need(try device(form), "device")) }
        guard form.device == nil else { throw BrowserMessageError("it names a device and a phone") }
        do throws(WireError) {
            return .phone(try PhoneID(phone))
        } catch {
            throw BrowserMessageError("it names no phone: \(error.reason)")
        }
    }

    package func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(form))
    }

    private var form: Form {
        switch self {
        case .hello(let browser): Form(type: "hello", browser: browser)
        case .page(let page): Form(type: "page", url: page.url, title: page.title)
        case .left: Form(type: "left")
        case .look: Form(type: "look")
        case .goOn(let request, let activity, let device, let inBrowser):
            Form(
                type: "goOn", request: request, activity: activity.hex, device: device?.description,
                inBrowser: inBrowser)
        case .place(let request, let place):
            Form(type: "place", request: request, scroll: place.scroll, seconds: place.seconds)
        case .opened(let request, let problem): Form(type: "opened", request: request, problem: problem)
        case .send(let request, let page, .device(let device), let place):
            Form(
                type: "send", url: page.url, title: page.title, request: request, device: device.description,
                scroll: place.scroll, seconds: place.seconds)
        case .send(let request, let page, .phone(let phone), let place):
            Form(
                type: "send", url: page.url, title: page.title, request: request, phone: phone.text,
                scroll: place.scroll, seconds: place.seconds)
        case .takeBack(let request, let activity): Form(type: "takeBack", request: request, activity: activity.hex)
        case .openHandoff(let request): Form(type: "openHandoff", request: request)
        case .unknown(let type): Form(type: type)
        }
    }
}
