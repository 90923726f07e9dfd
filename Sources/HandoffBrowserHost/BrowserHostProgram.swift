// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc
internal import HandoffClient
internal import HandoffSystem

package enum BrowserHostProgram {
    private static let help = """
        handoff-browser-host is started by a browser for the Handoff extension; "handoff browser install" registers it with
        this user's browsers. It uses the browsers' native messaging on standard input and output, and talks to handoffd. Thunderbird starts it, too.

        """

    package static func main() {
        StandardDescriptors.fill()
        signal(SIGPIPE, SIG_IGN)
        if CommandLine.arguments.dropFirst().contains(where: { $0 == "--help" || $0 == "-h" }) {
            say(help, to: STDOUT_FILENO)
            return
        }
        let environment = ProcessInfo.processInfo.environment
        if CommandLine.arguments.contains(HostManifest.mailExtension) {
            do throws(NativeFrameError) {
                try MailReport(environment: environment)?.run(input: STDIN_FILENO)
            } catch {
                complain("Thunderbird sent \(error)")
            }
            return
        }
        // Only messages may reach the browser.
        let output = dup(STDOUT_FILENO)
        guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
            return complain("standard output cannot be used")
        }
        _ = fcntl(output, F_SETFD, FD_CLOEXEC)
        let host = BrowserHost(
            input: STDIN_FILENO, output: output, locations: ThisProcess.locations(),
            environment: environment)
        switch host.run() {
        case .browserLeft: return
        case .unreadable(let error): complain("the browser sent \(error)")
        case .silent: complain("no hello arrived; this program is started by browsers, not by hand")
        }
    }

    private static func complain(_ sentence: String) {
        say("handoff-browser-host: \(sentence)\n", to: STDERR_FILENO)
        exit(1)
    }

    private static func say(_ text: String, to descriptor: CInt) { _ = write(descriptor, text, text.utf8.count) }
}
