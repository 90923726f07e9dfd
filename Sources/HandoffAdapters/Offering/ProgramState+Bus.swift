// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
import HandoffWire

extension ProgramState {
    package var userInfo: BusValue {
        var values: [String: BusValue] = ["playing": .boolean(isPlaying)]
        switch source {
        case .page(let url): values["uri"] = .string(url)
        case .message(let id): values["message-id"] = .string(id)
        case .point(let point):
            values["latitude"] = .double(point.latitude)
            values["longitude"] = .double(point.longitude)
        case .homeFile(let path, let content, _):
            values["home-path"] = .bytes(path.bytes)
            values["size"] = .int64(content.bytes)
            values["digest"] = content.digest.map(BusValue.bytes)
        case .homeFolder(let path, _): values["home-folder"] = .bytes(path.bytes)
        }
        if let checkout = source.checkout {
            values["repository"] = .string(checkout.remote)
            values["repository-path"] = checkout.path.map { .bytes($0.bytes) }
        }
        switch place {
        case .time(let seconds)?: values["seconds"] = .double(seconds)
        case .page(let page)?: values["page"] = .int64(Int64(page))
        case .cursor(let line, let column)?:
            values["line"] = .int64(Int64(line))
            values["column"] = .int64(Int64(column))
        case nil: break
        }
        return .properties(values)
    }

    /// The properties of an activity name something that a program can open, perhaps unusably.
    static func isIn(_ properties: [String: BusValue]) -> Bool {
        let values = properties["user-info"]?.properties ?? [:]
        return ["uri", "message-id", "latitude", "home-path", "home-folder"].contains { values[$0] != nil }
    }

    /// Another device chose the values. Throws a sentence.
    package init(_ properties: [String: BusValue]) throws(BusFailure) {
        let values = properties["user-info"]?.properties ?? [:]
        if let url = values["uri"]?.text {
            guard let page = OpenSource.page(url) else {
                throw .unusable("an address that is neither http nor https")
            }
            source = .page(page)
        } else if let id = values["message-id"]?.text {
            guard OpenSource.isMessageID(id) else { throw .unusable("a message by an unusable identifier") }
            source = .message(id)
        } else if case .double(let latitude)? = values["latitude"], case .double(let longitude)? = values["longitude"] {
            guard let point = MapPoint(latitude: latitude, longitude: longitude) else {
                throw .unusable("a point that is not on the earth")
            }
            source = .point(point)
        } else if let bytes = values["home-path"]?.bytes, let size = values["size"]?.integer {
            guard let path = try? DocumentPath(bytes: bytes), size >= 0 else {
                throw .unusable("a path outside of the home folder")
            }
            let digest = values["digest"]?.bytes.flatMap { $0.count == FileContent.digestBytes ? $0 : nil }
            source = .homeFile(path, FileContent(bytes: size, digest: digest), try Self.checkout(in: values))
        } else if let bytes = values["home-folder"]?.bytes {
            guard let path = try? DocumentPath(bytes: bytes) else {
                throw .unusable("a path outside of the home folder")
            }
            source = .homeFolder(path, try Self.checkout(in: values))
        } else {
            throw .unusable("neither an address nor a file")
        }
        func number(_ key: String) -> Int? {
            values[key]?.integer.flatMap { $0 >= 1 ? Int(min($0, Int64(Self.maximumNumber))) : nil }
        }
        if case .double(let seconds)? = values["seconds"], seconds.isFinite, seconds >= 0 {
            place = .time(min(seconds, Self.maximumSeconds))
        } else if let page = number("page") {
            place = .page(page)
        } else if let line = number("line") {
            place = .cursor(line: line, column: number("column") ?? 1)
        }
        isPlaying = values["playing"]?.flag ?? false
    }

    private static func checkout(in values: [String: BusValue]) throws(BusFailure) -> CheckoutPlace? {
        guard let remote = values["repository"]?.text else { return nil }
        guard let bytes = values["repository-path"]?.bytes else { return CheckoutPlace(remote: remote, path: nil) }
        guard let path = try? DocumentPath(bytes: bytes) else {
            throw .unusable("a path outside of the repository")
        }
        return CheckoutPlace(remote: remote, path: path)
    }
}

extension BusFailure {
    fileprivate static func unusable(_ what: String) -> BusFailure {
        BusFailure(BusFailure.invalidArguments, "the activity of the other device names \(what)")
    }
}
