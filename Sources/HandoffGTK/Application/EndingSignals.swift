// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import Glibc
internal import HandoffApp

/// Ends the app with its session or terminal, and on Control-C. The user cannot be asked; documents that save without
/// asking are saved.
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

    /// If saving fails, the changes are lost.
    private static func saveDocuments() {
        for case let document as NSDocument in UIApplication.shared.documentController.documents {
            guard ClosingStep(for: document) == .saveFirst, let url = document.fileURL else { continue }
            try? document.save(to: url, ofType: document.fileType ?? "")
        }
    }
}
#endif
