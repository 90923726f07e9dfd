// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
package import HandoffWire

/// Hands a web page to the user's browser, as `URLHandover` does it.
package struct WebPageOpener: Sendable {
    private let handover: URLHandover

    /// `asUnit`: as `URLHandover` has it.
    package init(environment: [String: String], asUnit: Bool = false) {
        handover = URLHandover(environment: environment, asUnit: asUnit)
    }

    /// Returns at once: a portal may take seconds, and some openers stay until the browser ends. Throws `.notAllowed` for
    /// anything but http and https, `.noApp` if nothing can open pages.
    package func open(_ url: String) throws(Failure) {
        try check(url)
        let hasBegun = DetachedThread.begin { try? handOver(url) }
        if !hasBegun { try handOver(url) }
    }

    /// As `open`, but returns when the desktop has taken the page, or the opener runs.
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
        // The system keeps an ended process until its parent has asked for it.
        DetachedThread.start { _ = opener.waitForStatus() }
    }
}
