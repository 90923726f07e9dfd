// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import TestPrograms
import Testing

/// The same entries, started by GLib and read by us. A recorder replaces every program.
// Shows L02.
@Suite(.timeLimit(.minutes(1))) struct GLibEntryTests {
    /// Asks GLib to start each entry, and prints the words that reached the program, or null.
    private static let launcher = """
        import json, os, select, sys
        from gi.repository import Gio
        folder = sys.argv[1]
        for entry in json.load(open(folder + "/entries")):
            with open(folder + "/entry.desktop", "w") as file: file.write(entry)
            words = None
            end = os.open(folder + "/pipe", os.O_RDONLY | os.O_NONBLOCK)
            try:
                Gio.DesktopAppInfo.new_from_filename(folder + "/entry.desktop").launch([], None)
                if select.select([end], [], [], 20)[0]:
                    os.set_blocking(end, True)
                    words = b""
                    while chunk := os.read(end, 65536): words += chunk
                    words = words.decode().split("\\0")[:-1]
            except (TypeError, gi.repository.GLib.Error): pass
            os.close(end)
            print(json.dumps(words))
        """

    private let home = TemporaryDirectory()

    init() throws {
        let recorder = "#!/bin/sh\nprintf '%s\\0' \"${0##*/}\" \"$@\" > \"$RECORD\"\n"
        for program in ["notes", "sh", "bash", "env", "xdg-open", "flatpak", "steam", "gnome-terminal", "a=b"] {
            try home.file("bin/\(program)", recorder, mode: 0o700)
        }
        #expect(mkfifo(home.path("pipe"), 0o600) == 0)
    }

    private static func entry(_ exec: String) -> String {
        "[Desktop Entry]\nType=Application\nName=Anna's Notes\nIcon=notes\nExec=\(exec)\n"
    }

    /// By GLib; nil: it refuses.
    private func started(_ execs: [String]) async throws -> [[String]?] {
        try home.file("entries", String(decoding: JSONEncoder().encode(execs.map(Self.entry)), as: UTF8.self))
        let launcher = try Program(
            ["/usr/bin/python3", "-c", "import gi.repository.GLib\n" + Self.launcher, home.path],
            environment: [
                "PATH": "\(home.path("bin")):/usr/bin:/bin", "RECORD": home.path("pipe"), "HOME": home.path,
                "LANG": "C.UTF-8",
            ])
        #expect(await launcher.end(.seconds(50)) == 0, "\(launcher.errors)")
        return try launcher.output.split(separator: "\n").map {
            try JSONDecoder().decode([String]?.self, from: Data($0.utf8))
        }
    }

    /// By our own reading.
    private func read(_ exec: String) -> [String]? {
        let fields = DesktopCommand.Fields(name: "Anna's Notes", icon: "notes", file: home.path("entry.desktop"))
        guard let text = try? DesktopEntry(Array(Self.entry(exec).utf8)).text(.exec),
            let command = try? DesktopCommand(text, fields: fields)
        else { return nil }
        return [command.program] + command.arguments
    }

    /// Shows Q10. `Exec` lines of published packages and installers, with their programs' paths removed.
    @Test func linesOfRealEntriesMeanWhatGLibStarts() async throws {
        let lines = [
            #"notes "%f""#, #"notes --open-path "%F""#, "notes %U", "notes --started-from-file bluray://%f",
            #"sh -c 'cd $HOME/.local && java -jar "$HOME/lizzie/lizzie.jar"'"#,
            #"sh -c "wget https://example.org/?`/proof`""#, #"sh -c 'xdg-open "$0://$1:5560"' http 10.10.10.2"#,
            "sh -c 'xset s 600 600; xset +dpms; exec xss-lock --transfer-sleep-lock -- /usr/local/bin/lock --lo'",
            #"sh -c 'sudo dmesg|grep -e hci0 -e iwl -e "usb 3-1: " |xmessage -file -'"#,
            #"sh -c "lantern -addr 127.0.0.1:8118""#, #"bash -c "cd \`dirname %k\` && ./Exodus %u""#,
            #"bash -c "cd \\"$(dirname "%k")\\" && ./Start.sh""#, #"bash -c 'cd "$DIR" && source .venv/bin/activate'"#,
            #"bash -c "LD_PRELOAD=/opt/x/libfix.so exec /opt/x/sublime_text %F""#,
            #"bash -c "unclutter -idle 0.5 & sed -i 's/\"exited\":false/\"exited\":true/' ~/.config/x""#,
            #"sh -c "FLUTTER_HEADLESS=1 /opt/app --unifiedpush-bg""#, #"sh -c "echo \\$HOME \$USER""#,
            "xdg-open http://localhost:8000", "xdg-open https://example.org/page?a=1&b=2#part",
            "xdg-open https://example.org/a%20b", "xdg-open https://example.org/(x)*;y", "steam steam://rungameid/220",
            #"env WINEPREFIX="/home/anna/.wine" notes C:\\\\windows\\\\command\\\\start.exe /Unix "/home/anna/c:/x (x86)""#,
            "env WINEPREFIX=/home/anna/.wine WINEFSYNC=1 notes '/home/anna/drive_c/users/Local/x'",
            #"env WINEPREFIX="~/.wine" notes /ProgIDOpen 7-Zip.7z %f"#, "env GDK_BACKEND=x11 notes %F",
            "flatpak run --branch=stable --command=x --file-forwarding org.example.X @@u %U @@",
            #"gnome-terminal -- bash -c "%f""#, "notes --title=%c %i -- %k", #"notes "%c" '%c' %c%c"#,
            "notes > /dev/null 2>&1", "notes &", "notes ~/Documents", "notes $HOME", "notes # a comment", "notes a#b",
            "notes\t#x", "notes %", "notes 100%%", "notes %%f", "notes %x%y", #"notes \s\\s"#, #"notes 'a\nb'"#,
            #"notes a\\\\"#, #"notes \q"#, #"notes a\"#, #"notes "" ''"#, #"notes a"b c"d'e f'g"#, #""notes" x"#,
            "a=b x", "notes Ünï–code", #"notes "a\\nb\\"c""#, "notes a\\nb",
            // GLib refuses these.
            "", " ", "gone %U", "%f notes", "notes 'open", #"notes "open"#, #"notes \\"#, "A=b notes", "\"\"", "# x",
        ]
        let started = try await started(lines)
        #expect(started.count == lines.count)
        for (line, words) in zip(lines, started) {
            // We refuse a missing program at its lookup, and read variables before a program as KDE does.
            if ["gone %U", "A=b notes", "a=b x"].contains(line) { continue }
            #expect(read(line) == words, "\(line)")
        }
        #expect(started.suffix(10).allSatisfy { $0 == nil })
        #expect(started.dropLast(10).allSatisfy { $0 != nil })
    }

    // Shows Q10.
    @Test func anyLineMeansWhatGLibStarts() async throws {
        var seed = UInt64(20_261_125)
        func random(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        let parts = ["\"", "'", "\\", "\\\\", " ", "#", "%c", "%f", "%%", "%", "a", "$", "`", "\\n", "~", "=", "é"]
        let lines = (0..<300).map { _ in
            // GLib refuses a last `#`, which begins a comment if text follows.
            "notes " + (0..<(1 + random(9))).map { _ in parts[random(parts.count)] }.joined() + "z"
        }
        for (line, words) in zip(lines, try await started(lines)) { #expect(read(line) == words, "\(line)") }
    }
}
