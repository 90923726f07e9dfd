// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust

/// Reports ignored entitlements, each with its reason. The others stay valid.
extension Output {
    func remark(rejectedIn entitlements: BundleEntitlements) {
        remark(rejectedClaimsIn: entitlements.associatedDomains)
        remark(containerProblems: DeclaredContainers(entries: entitlements.ubiquityContainers).problems)
    }

    /// `com.apple.developer.associated-domains`.
    func remark(rejectedClaimsIn entries: [String]) {
        for rejection in AssociatedDomains(entries: entries).rejections { remark("claims no site: \(rejection)") }
    }

    func remark(containerProblems problems: [String]) {
        for problem in problems { remark("names no container: \(problem)") }
    }
}
