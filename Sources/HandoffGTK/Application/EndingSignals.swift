// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import Glibc
internal import HandoffApp

/// What the system says to an app that is to end: at the end of a session, when its terminal is gone, on Control-C. Nobody can
/// be asked any more; what saves by itself is saved.
@MainActor
enum EndingSignals {
    static func follow() {
        for signal in [SIGTERM, SIGHUP, SIGINT] {
            _ = g_unix_signal_add(
                signal,
                { _ in
                    MainActor.assumeIsolated {
                        EndingSignals.saveDocuments()
                        GTKApplication.shared.flushNotifications()
                        UIApplication.shared.terminate()
                    }
                }, nil)
        }
    }

    /// One that cannot be saved is as lost as it would be without this.
    private static func saveDocuments() {
        for case let document as NSDocument in UIApplication.shared.documentController.documents {
            guard ClosingStep(for: document) == .saveFirst, let url = document.fileURL else { continue }
            try? document.save(to: url, ofType: document.fileType ?? "")
        }
    }
}
#endif
