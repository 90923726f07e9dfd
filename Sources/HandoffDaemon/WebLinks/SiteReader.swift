// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire

/// Reads the files of sites. A signed file is verified against the roots that this device trusts.
struct SiteReader {
    /// Certificates in DER; called for each signed file, which are rare.
    let roots: () -> [[UInt8]]

    func read(_ file: SiteFile, from site: Site, at time: WallTime) throws(SiteFailure) -> SiteAssociation {
        let roots = SiteAssociation.isSigned(file.bytes) ? roots() : []
        do throws(AssociationRejection) {
            return try SiteAssociation(file: file.bytes, from: site.host, roots: roots, at: time)
        } catch {
            throw SiteFailure(.unreadable, error.description)
        }
    }
}
