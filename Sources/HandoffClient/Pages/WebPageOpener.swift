// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
package import HandoffWire

package struct WebPageOpener: Sendable {
    private let handover: URLHandover

    package init(environment: [String: String], asUnit: Bool = false) {
        handover = URLHandover(environment: environment, asUnit: asUnit)
    }

    /// Returns immediately: a portal may take seconds, and some openers run as long as the browser. Throws
    /// `.notAllowed` unless the scheme is http or https, or `.noApp`.
    package func open(_ url: String) throws(Failure) {
        try check(url)
        let hasBegun = DetachedThread.begin { try? handOver(url) }
        if !hasBegun { try handOver(url) }
    }

    /// Returns when the desktop accepts the page or the opener runs.
    package func openAndWait(_ url: String) throws(Failure) {
        try check(url)
        try handOver(url)
    }

    private func check(_ url: String) throws(Failure) {
        guard WebPageURL.isAllowed(url) else { throw Failure(.notAllowed, "only http and https pages are opened") }
        if let problem = handover.problem { throw problem }
    }

    private func handOver(_ url: String) throws(Failure) {
        guard let opener = try handover.open(url) else { return }
        // Avoids a zombie.
        DetachedThread.start { _ = opener.waitForStatus() }
    }
}
