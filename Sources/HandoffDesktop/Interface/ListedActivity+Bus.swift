// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffWire

extension BusValue {
    /// `aa{sv}`
    static func list(_ members: [BusValue]) -> BusValue { .array(of: .array(.entry(.string, .variant)), members) }
}

extension ListedActivity {
    package var bus: BusValue {
        var properties: [String: BusValue] = [
            "id": .string(offer.activity.hex), "type": .string(offer.type.name),
            "app-name": .string(offer.appName.text),
            "device": .string(device.description), "device-name": .string(deviceName.text),
            "device-kind": .string("\(deviceKind)"), "this-device": .boolean(isFromThisDevice),
            "since": .int64(offer.since.milliseconds), "supports-streams": .boolean(offer.supportsStreams),
            "has-web-page": .boolean(offer.hasWebPage), "target-name": .string(targetName.text),
            "in-browser-too": .boolean(isForBrowserToo), "sent": .boolean(isSent),
        ]
        properties["title"] = offer.title.map { .string($0.text) }
        properties["app"] = offer.bundle.map { .string($0.name) }
        properties["expires"] = offer.expires.map { .int64($0.milliseconds) }
        properties["saved"] = offer.saved.map { .int64($0.milliseconds) }
        switch target {
        case .app(let bundle): (properties["target"], properties["target-app"]) = (.string("app"), .string(bundle.name))
        case .webPage: properties["target"] = .string("web-page")
        case .script: properties["target"] = .string("caller")
        case .nothing(let why): (properties["target"], properties["reason"]) = (.string("nothing"), .string(why))
        }
        return .properties(properties)
    }
}

extension SendReport {
    package var bus: BusValue {
        var properties: [String: BusValue] = [
            "id": .string(offer.activity.hex), "type": .string(offer.type.name),
            "app-name": .string(offer.appName.text),
            "device": .string(device.description), "device-name": .string(deviceName.text),
            "sent": .int64(sent.milliseconds), "until": .int64(until.milliseconds),
        ]
        properties["title"] = offer.title.map { .string($0.text) }
        properties["app"] = offer.bundle.map { .string($0.name) }
        let problem: Failure?
        switch standing {
        case .waiting(let failure): (properties["standing"], problem) = (.string("waiting"), failure)
        case .refused(let failure): (properties["standing"], problem) = (.string("refused"), failure)
        case .taken: (properties["standing"], problem) = (.string("taken"), nil)
        }
        properties["reason"] = problem.map { .string($0.reason) }
        return .properties(properties)
    }
}

extension Phone {
    /// After something was handed to its program.
    package var bus: BusValue {
        .properties([
            "phone": .string(id.text), "device-name": .string(name.text), "standing": .string("handed"),
            "through": .string(link.name),
        ])
    }
}

extension DeviceSummary {
    package var bus: BusValue {
        var properties: [String: BusValue] = [
            "id": .string(device.description), "name": .string(name.text), "kind": .string("\(kind)"),
            "this-device": .boolean(isThisDevice), "connected": .boolean(isConnected),
            "admitted": .int64(admitted.milliseconds),
        ]
        properties["address"] = address.isEmpty ? nil : .string(address)
        properties["admitted-by"] = admittedBy.map { .string($0.text) }
        properties["last-seen"] = lastSeen.map { .int64($0.milliseconds) }
        return .properties(properties)
    }
}

extension PhaseTime {
    var bus: BusValue {
        .properties(["phase": .string(phase.word), "microseconds": .uint64(UInt64(clamping: duration.microseconds))])
    }
}

extension Phase {
    fileprivate var word: String {
        switch self {
        case .resolve: "resolve"
        case .launch: "launch"
        case .willContinue: "will-continue"
        case .fetch: "fetch"
        case .willSave: "will-save"
        case .deliver: "deliver"
        case .documents: "documents"
        }
    }
}

extension Duration {
    /// Saturating.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000_000).partialValue
    }
}

extension ContinuationOutcome {
    /// Throws `.malformed` if the caller's state cannot be decoded.
    func bus() throws(Failure) -> BusValue {
        var properties: [String: BusValue] = [
            "target-name": .string(targetName.text), "phases": .list(phases.map(\.bus)),
        ]
        properties["saved"] = saved.map { .int64($0.milliseconds) }
        switch how {
        case .app(let bundle): (properties["how"], properties["app"]) = (.string("app"), .string(bundle.name))
        case .pageShown: properties["how"] = .string("page-shown")
        case .state(let state):
            properties["how"] = .string("state")
            properties["state"] = try OfferedActivity.properties(of: state)
        }
        return .properties(properties)
    }
}

extension DeliveredDocument {
    var bus: BusValue {
        var properties: [String: BusValue] = ["url": .string(url), "fate": .string("\(fate)")]
        properties["path"] = path.map { .bytes($0.bytes) }
        properties["kept-copy"] = keptCopy.map { .bytes($0.bytes) }
        return .properties(properties)
    }
}
