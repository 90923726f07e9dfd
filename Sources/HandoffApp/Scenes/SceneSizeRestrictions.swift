// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Between which sizes the windows of a scene may be. A toolkit holds to them as far as it can: GTK to the least one.
@preconcurrency @MainActor
public final class UISceneSizeRestrictions: NSObject {
    private weak var scene: UIWindowScene?

    /// Zero at first.
    public var minimumSize = CGSize.zero {
        didSet { tellWindows() }
    }

    /// Unlimited at first.
    public var maximumSize = CGSize(width: CGFloat.greatestFiniteMagnitude, height: CGFloat.greatestFiniteMagnitude) {
        didSet { tellWindows() }
    }

    init(of scene: UIWindowScene) {
        self.scene = scene
        super.init()
    }

    private func tellWindows() {
        for window in scene?.windows ?? [] { window.sizeRestrictionsChanged(to: self) }
    }
}
