// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust

extension Output {
    /// Names the entries of `com.apple.developer.associated-domains` that claim no site, each with its reason. They take
    /// nothing from the others.
    func remark(rejectedClaimsIn entries: [String]) {
        for rejection in AssociatedDomains(entries: entries).rejections { remark("claims no site: \(rejection)") }
    }
}
