// SPDX-License-Identifier: Apache-2.0

enum BrowserLimits {
    /// In a film, seconds; 11 days.
    static let maximumSeconds: Double = 1_000_000
    /// Between title updates of a page.
    static let titleSpacing: Duration = .seconds(1)
    /// Then the page is sent without its place.
    static let placePatience: Duration = .milliseconds(700)
    static let openPatience: Duration = .seconds(10)
    /// So that the list fits into one message.
    static let offersShown = 50
    /// So that the list fits into one message.
    static let devicesShown = 100
    /// To one browser; further apps have a general icon.
    static let iconsSent = 64
    /// Bytes. Larger pictures are not sent.
    static let iconBytes = 32 * 1024
    /// Width and height, in pixels: 24 on screens with two pixels for each.
    static let iconSize = 48
    static let helloPatience: Duration = .seconds(10)
}
