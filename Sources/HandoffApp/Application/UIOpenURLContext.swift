// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff

/// A URL to open.
@preconcurrency @MainActor
public final class UIOpenURLContext: NSObject {
    public let url: URL
    public let options: UIScene.OpenURLOptions

    init(_ url: URL) {
        self.url = url
        options = UIScene.OpenURLOptions()
        super.init()
    }
}

extension UIScene {
    /// Empty, because a desktop does not identify the sender.
    @preconcurrency @MainActor
    public final class OpenURLOptions: NSObject {
        /// Always nil.
        public var sourceApplication: String? { nil }
        /// Always nil.
        public var annotation: Any? { nil }
        /// Always true.
        public var openInPlace: Bool { true }
    }
}

extension UIApplication {
    /// Never present.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let sourceApplication = Self(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        public static let annotation = Self(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        public static let openInPlace = Self(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    }

    /// For toolkit authors: opens URLs in views with `onOpenURL`, or else the scene in front, or else the delegate.
    /// URLs that started the app are in its launch options.
    public func openIncoming(_ urls: [URL]) {
        whenLaunched { delegate in
            let urls = urls.filter { !self.viewEvents.open($0) }
            guard !urls.isEmpty else { return }
            if let scene = self.scenes.inFront, let sceneDelegate = scene.delegate {
                sceneDelegate.scene(scene, openURLContexts: Set(urls.map { UIOpenURLContext($0) }))
            } else {
                delegate.application(self, open: urls)
            }
        }
    }

    /// The delegate's default: opens declared types as documents.
    func openAsDocument(_ url: URL) {
        if let documentOpener { return documentOpener(url) }
        if url.isFileURL, documentController.openKnown(url) { return }
        environment.log("nothing in this app opens a URL of the scheme \(url.scheme ?? "")")
    }
}
