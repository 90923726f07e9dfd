// SPDX-License-Identifier: Apache-2.0

/// What an app and a site may do together, by the names of entitlements and files.
package enum AssociationService: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Handoff from the browser to the app.
    case activityContinuation = "activitycontinuation"
    /// Links that open in the app.
    case appLinks = "applinks"
    /// Known, so that entitlements with it are taken; nothing here asks for it.
    case webCredentials = "webcredentials"
    case appClips = "appclips"

    package var description: String { rawValue }
}
