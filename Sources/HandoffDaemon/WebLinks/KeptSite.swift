// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// A site's last valid answer.
package struct KeptSite: Hashable, Sendable {
    package let site: Site
    package let place: SitePlace
    package let file: SiteFile
    package var answered: WallTime
    /// Sorted. With a new claimant, the site is asked again.
    package var claimants: [BundleID]

    package init(site: Site, place: SitePlace, file: SiteFile, answered: WallTime, claimants: [BundleID]) {
        self.site = site
        self.place = place
        self.file = file
        self.answered = answered
        self.claimants = Array(Set(claimants).sorted().prefix(SiteLimits.claimants))
    }
}

// MARK: - On disk

/// Lines with a key and a value, an empty line, and the file's bytes.
extension KeptSite {
    private static let heading = "handoff-site 1"

    package func encoded() -> [UInt8] {
        var lines = [
            Self.heading, "host \(site.host)", "reach \(site.reach.rawValue)", "place \(place.rawValue)",
            "answered \(answered.milliseconds)", "form \(file.form.rawValue)", "label \(file.label.rawValue)",
        ]
        if let etag = file.etag { lines.append("etag \(etag)") }
        lines += claimants.map { "app \($0)" }
        lines += ["bytes \(file.bytes.count)", "", ""]
        return Array(lines.joined(separator: "\n").utf8) + file.bytes
    }

    package init(encoded bytes: [UInt8]) throws(WireError) {
        var heading = Heading(bytes)
        guard heading.nextLine() == Self.heading else { throw WireError(.malformed, "not a cached site") }
        let host = try WebHost(wire: try heading.value(of: "host"))
        let reach: Site.Reach = try heading.choice(of: "reach")
        let place: SitePlace = try heading.choice(of: "place")
        let answered = try heading.number(of: "answered")
        let form: SiteFile.Form = try heading.choice(of: "form")
        let label: SiteFile.Label = try heading.choice(of: "label")
        let etag = heading.optionalValue(of: "etag")
        guard etag.map(SiteFile.isUsable) ?? true else { throw WireError(.malformed, "not an ETag") }
        var claimants: [BundleID] = []
        while let app = heading.optionalValue(of: "app") { claimants.append(try BundleID(app)) }
        let count = try heading.number(of: "bytes")
        guard heading.nextLine() == "", count <= Int64(Limits.associationBytes) else {
            throw WireError(.malformed, "no file of a site")
        }
        let rest = bytes[heading.position...]
        guard Int64(rest.count) == count else { throw WireError(.truncated, "the file of a site is cut off") }
        self.init(
            site: Site(host, reach: reach), place: place,
            file: SiteFile(bytes: Array(rest), form: form, label: label, etag: etag),
            answered: WallTime(milliseconds: answered), claimants: claimants)
        // Rejects, for example, unsorted claimants.
        guard self.claimants == claimants, encoded() == bytes else {
            throw WireError(.malformed, "not in canonical form")
        }
    }

    private struct Heading {
        private let bytes: [UInt8]
        private(set) var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func nextLine() -> String? {
            guard let (line, end) = peek() else { return nil }
            position = end
            return line
        }

        mutating func optionalValue(of key: String) -> String? {
            guard let (line, end) = peek(), line.hasPrefix(key + " ") else { return nil }
            position = end
            return String(line.dropFirst(key.count + 1))
        }

        mutating func value(of key: String) throws(WireError) -> String {
            guard let value = optionalValue(of: key) else {
                throw WireError(.malformed, "\(key) is missing from a cached site")
            }
            return value
        }

        mutating func number(of key: String) throws(WireError) -> Int64 {
            guard let number = Int64(try value(of: key)), number >= 0 else {
                throw WireError(.malformed, "\(key) is not a number in a cached site")
            }
            return number
        }

        mutating func choice<Choice: RawRepresentable<String>>(of key: String) throws(WireError) -> Choice {
            guard let choice = Choice(rawValue: try value(of: key)) else {
                throw WireError(.unknownKind, "\(key) is unknown in a cached site")
            }
            return choice
        }

        private func peek() -> (line: String, end: Int)? {
            let rest = bytes[position..<min(bytes.count, SiteLimits.headingBytes)]
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")),
                let line = String(validating: rest[..<end], as: UTF8.self)
            else { return nil }
            return (line, end + 1)
        }
    }
}

/// An installed app's claim to a site, in entitlements signed by its team. Only the site can confirm it.
struct SiteClaim: Hashable, Sendable {
    let site: Site
    let app: BundleID

    init(_ site: Site, by app: BundleID) {
        self.site = site
        self.app = app
    }
}

/// Does not say whether the site lists an app.
enum SiteStanding: Hashable, Sendable {
    /// Never asked: no installed app claims the site.
    case unclaimed
    case surplus
    case unknown
    case answered(KeptSite)
    /// The last answer is valid, although the last request failed.
    case kept(KeptSite, SiteFailure, tried: WallTime)
    case unreachable(SiteFailure, tried: WallTime)
    case refused(wellKnown: SiteFailure, root: SiteFailure, said: WallTime)

    var file: KeptSite? {
        switch self {
        case .answered(let kept), .kept(let kept, _, _): kept
        case .unclaimed, .surplus, .unknown, .unreachable, .refused: nil
        }
    }
}
