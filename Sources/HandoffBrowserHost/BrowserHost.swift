// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffClient
internal import HandoffIcons
internal import HandoffSystem
package import HandoffWire

/// One thread does the work; the connection's thread puts events into the inbox.
package final class BrowserHost {
    package enum Ending: Hashable, Sendable {
        /// It is closing, or the extension is gone.
        case browserLeft
        /// The rest of the input cannot be parsed.
        case unreadable(NativeFrameError)
        /// The extension sent no hello.
        case silent
    }

    private let input: CInt
    private let output: CInt
    private let locations: Locations
    private let timings: DaemonConnection.Timings
    private var reader = NativeFrameReader()
    private let window: WindowOpener
    private let rowIcons: RowIcons
    private var machine: BrowserStateMachine
    private var randomness = SystemRandomNumberGenerator()
    private var daemon: (connection: DaemonConnection, inbox: Inbox)?

    /// `environment`: of the user's session. `placePatience`: for the scroll position of a page.
    package init(
        input: CInt, output: CInt, locations: Locations, environment: [String: String] = [:],
        timings: DaemonConnection.Timings = DaemonConnection.Timings(), placePatience: Duration? = nil
    ) {
        self.input = input
        self.output = output
        self.locations = locations
        self.timings = timings
        window = WindowOpener(environment: environment)
        rowIcons = RowIcons(
            drawer: .installed(besides: ThisProcess.current.executable, environment: environment))
        machine = BrowserStateMachine(
            opensHandoff: window.isInstalled, noDaemon: .noDaemon(DaemonStart(locations)),
            placePatience: placePatience ?? BrowserLimits.placePatience)
    }

    package func run() -> Ending {
        let silence = ContinuousClock.now + BrowserLimits.helloPatience
        defer { daemon?.connection.close() }
        while true {
            if daemon == nil, ContinuousClock.now >= silence { return .silent }
            if wait(until: daemon == nil ? silence : machine.nextDeadline), !read() { return .browserLeft }
            do throws(NativeFrameError) {
                while let body = try reader.next() { take(body) }
            } catch {
                tell(.refused("\(error)"))
                return .unreadable(error)
            }
            for event in daemon?.inbox.takeAll() ?? [] { carryOut(actions(for: event)) }
            carryOut(machine.passed(.now))
        }
    }

    // MARK: The browser

    /// True if the browser has sent something, or is gone.
    private func wait(until deadline: ContinuousClock.Instant?) -> Bool {
        var pollers = [
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            // `poll` ignores a negative descriptor.
            pollfd(fd: daemon?.inbox.signal.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = deadline.map { Self.milliseconds(until: $0) } ?? -1
        poll(&pollers, nfds_t(pollers.count), daemon?.inbox.signal.timeout(milliseconds) ?? milliseconds)
        return pollers[0].revents != 0
    }

    /// Rounded up, to avoid wakes just before the deadline.
    private static func milliseconds(until deadline: ContinuousClock.Instant) -> CInt {
        let rest = ContinuousClock.now.duration(to: deadline)
        return CInt(clamping: Int64(max(.zero, rest) / .milliseconds(1)) + 1)
    }

    /// False at the end.
    private func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = Glibc.read(input, &buffer, buffer.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        reader.append(buffer[..<count])
        return count > 0
    }

    private func take(_ body: [UInt8]) {
        let message: BrowserMessage
        do throws(BrowserMessageError) {
            message = try BrowserMessage(json: body)
        } catch {
            return tell(.refused("\(error)"))
        }
        if case .hello(let browser) = message {
            // Later hellos are ignored.
            if daemon == nil { connect(as: DisplayText(cleaning: browser, limit: Limits.nameCharacters)) }
        } else if daemon != nil {
            carryOut(machine.said(message, fresh: .random(using: &randomness), at: .now))
        } else {
            tell(.refused("the first message must be a hello"))
        }
    }

    private func tell(_ message: HostMessage) {
        // Always fits, because lists and pages are limited.
        guard let bytes = try? message.framed() else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var poller = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                poll(&poller, 1, -1)
            } else if errno != EINTR {
                // The browser is gone, as the input will show.
                return
            }
        }
    }

    // MARK: The daemon

    private func connect(as name: DisplayText) {
        let connection = DaemonConnection(locations: locations, timings: timings)
        let inbox = Inbox(browser: name.isEmpty ? DisplayText(cleaning: "Browser") : name)
        daemon = (connection, inbox)
        connection.start(inbox)
    }

    private func actions(for event: Inbox.Event) -> [BrowserStateMachine.Action] {
        switch event {
        case .connected(let welcome):
            machine.connected(welcome, fresh: .random(using: &randomness), at: .now)
        case .gone: machine.disconnected()
        case .asked(let message, let ticket): machine.asked(message, ticket, at: .now)
        case .answered(let question, let result): machine.answered(question, result, at: .now)
        case .windowOpened(let failure): machine.windowOpened(failure)
        case .iconsRead(let pictures): machine.iconsRead(pictures)
        }
    }

    private func carryOut(_ actions: [BrowserStateMachine.Action]) {
        guard let (connection, inbox) = daemon else { return }
        for action in actions {
            switch action {
            case .tell(let message): tell(message)
            case .send(let message): connection.send(message)
            case .answer(let ticket, let message): connection.answer(ticket, message)
            case .openWindow: openWindow(inbox)
            case .readIcons(let paths): readIcons(paths, inbox)
            case .ask(let message, let question):
                let isAsked = connection.follow(message) { result in
                    inbox.post(.answered(question, result))
                    return question.hasMore(after: result)
                }
                if !isAsked {
                    let failure = Failure(.connectionUnavailable, "the daemon has stopped")
                    inbox.post(.answered(question, .failure(failure)))
                }
            }
        }
    }
}

extension BrowserHost {
    private func openWindow(_ inbox: Inbox) {
        let hasBegun = DetachedThread.begin { [window] in
            do throws(Failure) {
                try window.open()
                inbox.post(.windowOpened(nil))
            } catch {
                inbox.post(.windowOpened(error))
            }
        }
        if !hasBegun { inbox.post(.windowOpened(Failure(.limitReached, "the system cannot start another thread"))) }
    }
}

extension BrowserHost {
    /// Without a thread, the rows have general icons.
    private func readIcons(_ paths: [BundleID: String], _ inbox: Inbox) {
        _ = DetachedThread.begin { [rowIcons] in inbox.post(.iconsRead(rowIcons.read(paths))) }
    }
}

extension BrowserStateMachine.Question {
    fileprivate func hasMore(after result: Result<LocalMessage, Failure>) -> Bool {
        switch (self, result) {
        case (.list, .success), (.devices, .success), (.continuation, .success(.continuation(.progress))): true
        default: false
        }
    }
}
