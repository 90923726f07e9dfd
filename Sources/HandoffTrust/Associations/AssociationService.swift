// SPDX-License-Identifier: Apache-2.0

/// Named as in entitlements and files.
package enum AssociationService: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// From the browser to the app.
    case activityContinuation = "activitycontinuation"
    case appLinks = "applinks"
    /// Accepted in entitlements, but not used.
    case webCredentials = "webcredentials"
    case appClips = "appclips"

    package var description: String { rawValue }
}
