// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What the other features ask about apps and web sites. `WebLinksService` answers; tests may stand in.
package protocol WebApproval: AnyObject {
    /// Trusted apps that claim that host, in entitlements that their team signed, and that the site's own file lists for
    /// Handoff. By bundle.
    func approvedApps(for host: WebHost) -> [BundleID]
    /// Called after that may be another for some host. In the order of registration.
    func onChange(_ observer: @escaping (ApprovalChange) -> Void)
}

/// What sites say of these apps, or these of their sites, may be another than before.
package struct ApprovalChange: Hashable, Sendable {
    package let apps: Set<BundleID>

    package init(apps: Set<BundleID>) { self.apps = apps }
}
