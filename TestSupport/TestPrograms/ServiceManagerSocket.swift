// SPDX-License-Identifier: Apache-2.0

/// The socket of a service manager, whose path is for `NOTIFY_SOCKET`. `program` prints one notification a line, in one
/// write: `print` would write the end of the line later.
package struct ServiceManagerSocket {
    package let path: String
    package let program: Program

    package init(_ path: String) async throws {
        self.path = path
        program = try Program(
            [
                "/usr/bin/python3", "-uc",
                "import socket, sys; s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1]); "
                    + "print('listening'); [sys.stdout.write(each.decode() + '\\n') for each in iter(lambda: s.recv(256), b'')]",
                path,
            ], environment: [:])
        try await program.hear("listening")
    }
}
