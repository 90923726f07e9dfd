// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The size limits of a scene's windows. GTK applies only the minimum.
@preconcurrency @MainActor
public final class UISceneSizeRestrictions: NSObject {
    private weak var scene: UIWindowScene?

    /// Initially zero.
    public var minimumSize = CGSize.zero {
        didSet { tellWindows() }
    }

    /// Initially unlimited.
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
