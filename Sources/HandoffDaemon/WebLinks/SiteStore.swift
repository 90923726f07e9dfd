// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffTrust
internal import HandoffWire
import Logging

/// One file per site. A cache: an unreadable file is removed, and after a failed write the site is asked again at the
/// next start.
struct SiteStore {
    private let store: any StateStore
    private let log: Logger

    init(store: any StateStore, log: Logger) {
        self.store = store
        self.log = log
    }

    /// No host can make one prefix the beginning of the other.
    private static let prefixes: [Site.Reach: String] = [.internet: "site-", .anywhere: "local-site-"]
    /// In file names, a longer host is replaced by its digest, which has no dot and so is not a host.
    private static let hostBytes = 100

    static func fileName(of site: Site) -> String {
        let host = site.host.name
        let isShort = host.utf8.count <= hostBytes
        return prefixes[site.reach, default: ""] + (isShort ? host : FileDigest(of: Array(host.utf8)).hex)
    }

    /// Renames an older version's files, which had numbers (`site-0`).
    func load() -> [KeptSite] {
        var found: [String: KeptSite] = [:]
        for name in names() {
            do {
                guard let bytes = try store.read(name) else { continue }
                found[name] = try KeptSite(encoded: bytes)
            } catch {
                log.warning("Removed a site's cached answer that could not be read", metadata: ["reason": "\(error)"])
                remove(name)
            }
        }
        var kept: [Site: KeptSite] = [:]
        for (name, site) in found where name == Self.fileName(of: site.site) { kept[site.site] = site }
        for (name, site) in found.sorted(by: { $0.key < $1.key }) where name != Self.fileName(of: site.site) {
            if kept[site.site].map({ $0.answered < site.answered }) ?? true {
                kept[site.site] = site
                put(site)
            }
            remove(name)
        }
        return kept.values.sorted { $0.site < $1.site }
    }

    private func names() -> [String] {
        do {
            return try store.names().filter { name in Self.prefixes.values.contains { name.hasPrefix($0) } }
        } catch {
            log.warning("The cached answers of sites could not be listed", metadata: ["reason": "\(error)"])
            return []
        }
    }

    func put(_ kept: KeptSite) {
        store.writeLater(kept.encoded(), to: Self.fileName(of: kept.site)) { [log] failure in
            log.warning("A site's answer could not be cached", metadata: ["reason": "\(failure)"])
        }
    }

    func remove(_ site: Site) { remove(Self.fileName(of: site)) }

    private func remove(_ name: String) {
        do { try store.remove(name) } catch {
            log.warning("A site's cached answer could not be removed", metadata: ["reason": "\(error)"])
        }
    }
}
