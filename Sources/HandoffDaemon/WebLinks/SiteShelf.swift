// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffWire
package import Logging

/// The last good answers of sites on disk, a file each. Only a memory of what can be asked again: what cannot be read is
/// removed, and what cannot be written is asked for after the next start.
package struct SiteShelf {
    private let store: any StateStore
    private let log: Logger

    package init(store: any StateStore, log: Logger) {
        self.store = store
        self.log = log
    }

    package static func fileName(of slot: Int) -> String { "site-\(slot)" }

    /// What is there, by slot.
    package func load(slots: Int = WebLinksLimits().sites) -> [Int: KeptSite] {
        var kept: [Int: KeptSite] = [:]
        for slot in 0..<slots {
            do {
                guard let bytes = try store.read(Self.fileName(of: slot)) else { continue }
                kept[slot] = try KeptSite(encoded: bytes)
            } catch {
                log.warning(
                    "The kept answer of a site cannot be read and is removed",
                    metadata: ["slot": "\(slot)", "reason": "\(error)"])
                remove(slot: slot)
            }
        }
        return kept
    }

    package func put(_ kept: KeptSite, slot: Int) {
        do { try store.write(kept.encoded(), to: Self.fileName(of: slot)) } catch {
            log.warning("The answer of a site could not be kept", metadata: ["reason": "\(error)"])
        }
    }

    package func remove(slot: Int) {
        do { try store.remove(Self.fileName(of: slot)) } catch {
            log.warning("The answer of a site could not be removed", metadata: ["reason": "\(error)"])
        }
    }
}
