// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc
internal import HandoffTrust
internal import HandoffWire

struct TeamTrust: Verb {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Trust a team on this device: its apps may take part.",
        discussion: """
            Takes a certificate as `handoff team export` prints it. Compare the key with what the developer published: \
            anyone can choose the same name and the same Team ID.
            """)

    @Argument(help: ArgumentHelp("The certificate; - reads it from standard input.", valueName: "file"))
    var file: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let certificate = try read()
        try TeamBook(common).trust(certificate)
        output.show(ShownTrusted(certificate))
        common.files.noteChangeOfTeams(output)
    }

    private func read() throws(CommandFailure) -> TeamCertificate {
        let bytes = try readBytes()
        do throws(TeamRejection) {
            return bytes.starts(with: "-----".utf8) ? try TeamCertificate(pem: bytes) : try TeamCertificate(der: bytes)
        } catch {
            throw CommandFailure(.failed, code: "malformed", "\(file) is not a team's certificate: \(error)")
        }
    }
}

extension TeamTrust {
    /// At most one byte more than the limit.
    private func readBytes() throws(CommandFailure) -> [UInt8] {
        let descriptor = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
        defer { if descriptor > STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: TeamCertificate.bytes + 1)
        while bytes.count <= TeamCertificate.bytes {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(
                    .failed, code: "malformed", "cannot read \(file): \(String(cString: strerror(errno)))")
            }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}

private struct ShownTrusted: Renderable {
    struct Team: Encodable {
        let team: String
        let name: String
        let key: String
    }

    let trusted: Team
    private let grouped: String

    enum CodingKeys: String, CodingKey { case trusted }

    init(_ certificate: TeamCertificate) {
        trusted = Team(
            team: certificate.id.name, name: certificate.name.text, key: certificate.fingerprint.hex)
        grouped = certificate.fingerprint.grouped
    }

    func text(_ terminal: Terminal) -> String {
        "trusts team \(trusted.team), \(trusted.name)\nkey \(grouped)"
    }
}
