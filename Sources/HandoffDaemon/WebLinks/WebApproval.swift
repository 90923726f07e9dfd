// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The approval of apps by sites. Implemented by `WebLinksService`; tests may substitute it.
package protocol WebApproval: AnyObject {
    /// Trusted apps that claim that host in their signed entitlements and are listed for Handoff in the site's own
    /// file. Sorted by bundle.
    func approvedApps(for host: WebHost) -> [BundleID]
    /// Called after the approval for some host may have changed, in the order of registration.
    func onChange(_ observer: @escaping (ApprovalChange) -> Void)
}

package struct ApprovalChange: Hashable, Sendable {
    package let apps: Set<BundleID>

    package init(apps: Set<BundleID>) { self.apps = apps }
}
