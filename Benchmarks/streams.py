# SPDX-License-Identifier: Apache-2.0
"""V04: bytes from app to app through both daemons, compared with the same bytes over shorter paths.

For Benchmarks/run, which creates the two namespaces and the joined daemons in them."""

import filecmp, json, os, shutil, socket, statistics, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
MIB = 2**20
APP = "org.example.bench.streams"
PORT = 7997


def cpu_nanoseconds(pid):
    """What all threads of a process have used, those that ended too; the clock of clock_getcpuclockid(3)."""
    return time.clock_gettime_ns(~pid << 3 | 2)


class Sample:
    def __init__(self, seconds, cpu, size):
        self.rate, self.cpu = size / seconds / 1e6, cpu * 2**30 / size


def listens(pid, port, state="0A"):
    """Whether a process's network has a TCP socket at that port of its own, listening or in another state."""
    for family in ("tcp", "tcp6"):
        with open(f"/proc/{pid}/net/{family}") as file:
            for line in file.readlines()[1:]:
                words = line.split()
                if int(words[1].split(":")[1], 16) == port and words[3] == state:
                    return True
    return False


def ended(process, seconds=300):
    """CPU nanoseconds of a child that has ended."""
    deadline = time.monotonic() + seconds
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = status
            return int((usage.ru_utime + usage.ru_stime) * 1e9)
        if time.monotonic() > deadline:
            process.kill()
            raise SystemExit(f"{process.args} does not end")
        time.sleep(0.0005)


# --- with less between ---------------------------------------------------------------------------------------------------

def commands(bed):
    """Of each floor: what runs on the receiving device, and on the sending one."""
    certificate, key = bed.certificate()
    relay, to = os.path.join(bed.bench, "bench-relay"), bed.b.address
    return {
        "relay": ([relay, "take", str(PORT)], [relay, "send", to, str(PORT)]),
        "openssl": (
            ["openssl", "s_server", "-accept", str(PORT), "-cert", certificate, "-key", key, "-quiet", "-naccept", "1",
             "-tls1_3"],
            ["openssl", "s_client", "-connect", f"{to}:{PORT}", "-quiet", "-no_ign_eof", "-nocommands", "-tls1_3"]),
        "socat": (
            ["socat", "-u", "-b", "262144",
             f"OPENSSL-LISTEN:{PORT},reuseaddr,cert={certificate},key={key},verify=0,openssl-min-proto-version=TLS1.3",
             "STDOUT"],
            ["socat", "-u", "-b", "262144", "STDIN", f"OPENSSL:{to}:{PORT},verify=0,openssl-min-proto-version=TLS1.3"]),
    }


def start(node, command, **files):
    return subprocess.Popen(node.inside(command), stderr=subprocess.DEVNULL, **files)


def receiving(bed, command, wait, output):
    # s_server takes the end of its own input for the end of its work.
    process = start(bed.b, command, stdin=subprocess.PIPE, stdout=output)
    wait(lambda: listens(process.pid, PORT), f"{command[0]} does not listen")
    return process


def alone(bed, command, size, wait):
    """From a file in memory to nowhere, with no program at either end: two processes."""
    with open(os.path.join(bed.memory, "zeros"), "rb") as source:
        server = receiving(bed, command[0], wait, subprocess.DEVNULL)
        began = time.monotonic_ns()
        client = start(bed.a, command[1], stdin=source, stdout=subprocess.DEVNULL)
        cpu = ended(client) + ended(server)
        seconds = (time.monotonic_ns() - began) / 1e9
        server.stdin.close()
    return Sample(seconds, cpu / 1e9, size)


def between(bed, command, size, wait):
    """From a writer to a reader, as the apps are, each joined by a Unix socket: four processes."""
    relay = os.path.join(bed.bench, "bench-relay")
    (writing, sending), (taking, reading) = socket.socketpair(), socket.socketpair()
    server = receiving(bed, command[0], wait, taking)
    client = start(bed.a, command[1], stdin=sending, stdout=subprocess.DEVNULL)
    wait(lambda: listens(server.pid, PORT, "01"), f"{command[1][0]} does not connect")
    reader = subprocess.Popen(bed.b.inside([relay, "read"]), stdin=reading, stdout=subprocess.PIPE, text=True)
    writer = subprocess.Popen(bed.a.inside([relay, "write", str(size)]), stdout=writing, stderr=subprocess.PIPE, text=True)
    for end in (writing, sending, taking, reading):
        end.close()
    began = int(writer.stderr.readline().split()[1])
    _, finished, count = reader.stdout.readline().split()
    if int(count) != size:
        raise SystemExit(f"{command[0][0]}: {count} of {size} bytes came")
    cpu = sum(map(ended, (writer, client, server, reader)))
    server.stdin.close()
    return Sample((int(finished) - began) / 1e9, cpu / 1e9, size)


# --- through both daemons ------------------------------------------------------------------------------------------------

def offered(bed, kind):
    """The activities of that type that the first device offers the second."""
    return [each["activity"] for each in json.loads(bed.b.cli("activity", "list", "--json")) if each["type"] == kind]


class Apps:
    """The origin's app, and the receiver's that has continued its activity."""

    def __init__(self, bed):
        self.bed = bed
        program = os.path.join(bed.bench, "bench-streams")
        bundle = os.path.join(bed.folder, "Streams.app")
        os.makedirs(os.path.join(bundle, "Contents", "Linux"))
        shutil.copy(program, os.path.join(bundle, "Contents", "Linux", "bench-streams"))
        with open(os.path.join(HERE, "Info.plist")) as file:
            plist = file.read().replace("org.example.bench", APP).replace("bench-app", "bench-streams")
        with open(os.path.join(bundle, "Contents", "Info.plist"), "w") as file:
            file.write(plist)
        bed.b.cli("app", "install", "--development", bundle)
        self.origin = bed.a.spawn(program, "serve")
        self.origin.wait("ready")
        installed = [app for app in json.loads(bed.b.cli("app", "list", "--json")) if app["bundle"] == APP][0]["path"]
        self.receiver = bed.b.spawn(os.path.join(installed, "Contents", "Linux", "bench-streams"), "receive")
        deadline = time.monotonic() + 30
        while True:
            # The app's process has to be there, so that none is started.
            running = any(app["bundle"] == APP and app["running"] for app in json.loads(bed.b.cli("app", "list", "--json")))
            found = offered(bed, APP)
            if running and found:
                break
            if time.monotonic() > deadline:
                raise SystemExit("the activity with the streams is not offered")
            time.sleep(0.02)
        bed.b.cli("activity", "continue", found[0])
        self.receiver.wait("continued")

    @property
    def processes(self):
        return [self.origin.process.pid, self.bed.a.daemon.pid, self.bed.b.daemon.pid, self.receiver.process.pid]

    def ask(self, line):
        self.receiver.say(line)

    def hear(self, prefix, seconds=300):
        words = self.receiver.wait("", seconds)
        if not words or words[0] != prefix:
            raise SystemExit("the receiving app: " + " ".join(words))
        return [int(word) for word in words[1:]]

    def bulk(self, size):
        before = [cpu_nanoseconds(pid) for pid in self.processes]
        self.ask(f"bulk {size}")
        finished = self.hear("bulk")[0]
        began = int(self.origin.wait("began")[1])
        cpu = [cpu_nanoseconds(pid) - then for pid, then in zip(self.processes, before)]
        return Sample((finished - began) / 1e9, sum(cpu) / 1e9, size), [each / 1e9 * 2**30 / size for each in cpu]

    def close(self):
        self.receiver.close()
        self.origin.close()


class Memory:
    """Resident memory of a daemon, MiB: before, at its most, after."""

    def __init__(self, node):
        self.pid = node.daemon.pid
        with open(f"/proc/{self.pid}/clear_refs", "w") as file:
            file.write("5")  # The peak is forgotten.
        self.before = self.read("VmRSS")

    def read(self, name):
        with open(f"/proc/{self.pid}/status") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith(name + ":"))

    def row(self):
        peak = self.read("VmHWM")
        return "%.1f / %.1f / %.1f MiB, grown by %.1f" % (self.before, peak, self.read("VmRSS"), peak - self.before)


def measure(bed, table, few, wait):
    """The devices are joined, and nothing else goes on."""
    print("streams", file=sys.stderr)
    size, rounds = (16 * MIB, 1) if few else (1024 * MIB, 5)
    count, at_once, share = (5, 3, MIB) if few else (10_000, 100, 8 * MIB)
    bed.memory = next((each for each in ("/dev/shm", bed.folder) if os.path.isdir(each)))
    bed.memory = os.path.join(bed.memory, f"handoff-bench-{os.getpid()}")
    os.mkdir(bed.memory, 0o700)
    try:
        with open(os.path.join(bed.memory, "zeros"), "wb") as file:
            for _ in range(size // MIB):
                file.write(bytes(MIB))
        apps = Apps(bed)
        transfers(bed, apps, table, size, rounds, wait)
        commands_alone(bed, table, size, min(rounds, 3), wait)
    finally:
        shutil.rmtree(bed.memory, ignore_errors=True)
    many(bed, apps, table, count, at_once, share)
    apps.close()


def transfers(bed, apps, table, size, rounds, wait):
    label = f"{size // MIB:,} MiB"
    floors = commands(bed)
    ways = {}
    for name, words in (("openssl", "openssl s_client to s_server"), ("socat", "socat over TLS")):
        if not shutil.which(name):
            print(f"  there is no {name} here, so nothing is measured beside it", file=sys.stderr)
            continue
        ways[f"floor: {label}, {words}, TLS 1.3, from a file in memory to nowhere"] = \
            lambda name=name: alone(bed, floors[name], size, wait)
        ways[f"floor: {label}, {words}, TLS 1.3, between a writer and a reader"] = \
            lambda name=name: between(bed, floors[name], size, wait)
    ways[f"limit: {label}, bare relays without encryption, between a writer and a reader"] = \
        lambda: between(bed, floors["relay"], size, wait)
    apps.bulk(max(size // 8, 16 * MIB))
    parts, memories = [], None
    samples = {way: [] for way in ways}
    ours = f"V04 {label} in writes of 64 KiB, app to app through both daemons"
    samples[ours] = []
    # In turns, so that what else this machine does meets all of them.
    for _ in range(rounds):
        for way, run in ways.items():
            samples[way].append(run())
        memories = memories or [Memory(node) for node in (bed.a, bed.b)]
        sample, cpu = apps.bulk(size)
        samples[ours].append(sample)
        parts.append(cpu)
    for way, found in samples.items():
        rates = [each.rate for each in found]
        used = statistics.median(each.cpu for each in found)
        table.rate(way, statistics.median(rates), min(rates), used, len(found),
                   "0.9 of socat's rate; at most 1.0 CPU s/GiB" if way == ours else "")
    table.fact("V04 CPU seconds a GiB: origin's app / its daemon / receiver's daemon / its app",
               " / ".join("%.2f" % statistics.median(part) for part in zip(*parts)))
    for letter, found in zip("AB", memories):
        table.fact(f"V04 memory of daemon {letter}: before / peak / after", found.row(), "grown by at most 8 MiB")


def commands_alone(bed, table, size, rounds, wait):
    """A file by the command line: from the start of `activity continue` until it has ended, with the file on the disk."""
    kind = "org.example.bench.file"
    source, target = (os.path.join(bed.memory, name) for name in ("random", "taken"))
    with open(source, "wb") as file:
        for _ in range(size // MIB):
            file.write(os.urandom(MIB))
    publisher = bed.a.spawn(os.path.join(bed.bin, "handoff"), "activity", "publish", "--type", kind, "--stream", source)
    wait(lambda: offered(bed, kind), "the activity with the file is not offered")
    [activity] = offered(bed, kind)
    samples = []
    for _ in range(rounds):
        began = time.monotonic_ns()
        bed.b.cli("activity", "continue", activity, "--stream-to", target, "--force")
        samples.append(time.monotonic_ns() - began)
    if not filecmp.cmp(source, target, shallow=False):
        raise SystemExit("the file came damaged")
    table.add(f"V04 a file of {size // MIB:,} MiB, by handoff activity continue --stream-to", samples)
    publisher.close()


def open_streams(apps, count):
    """One after the other: until both streams are there, and until each was used and closed; nanoseconds."""
    apps.ask(f"opens {count} 1024")
    opens, whole = zip(*(apps.hear("open", 600) for _ in range(count)))
    apps.hear("opened")
    return opens, whole


def opening_rows(table, opens, whole):
    table.add("V04 a stream asked for until both streams are there", opens, goal="p50 < 3 ms")
    table.add("V04 the same until 1 KiB was asked for, read to its end and closed", whole)


def opens_alone(bed, table, few):
    """What it takes to open a stream, and whose processor time: to be run in turns with another daemon, by --bin."""
    count = 5 if few else 3_000
    apps = Apps(bed)
    open_streams(apps, 200)
    before = [cpu_nanoseconds(pid) for pid in apps.processes]
    opens, whole = open_streams(apps, count)
    used = [(cpu_nanoseconds(pid) - then) / count / 1e3 for pid, then in zip(apps.processes, before)]
    opening_rows(table, opens, whole)
    table.fact("V04 CPU of one stream: origin's app / its daemon / receiver's daemon / its app",
               " / ".join("%.0f" % each for each in used) + " us")
    apps.close()


def many(bed, apps, table, count, at_once, share):
    open_streams(apps, min(50, count))
    memories = [Memory(node) for node in (bed.a, bed.b)]
    opens, whole = open_streams(apps, count)
    opening_rows(table, opens, whole)
    table.fact(f"V04 {count:,} streams of 1 KiB, one after the other", "%.0f a second" % (count * 1e9 / sum(whole)))
    for letter, found in zip("AB", memories):
        table.fact(f"V04 memory of daemon {letter} over them: before / peak / after", found.row(), "grown by at most 8 MiB")
    memories = [Memory(node) for node in (bed.a, bed.b)]
    apps.ask(f"fair {at_once} {share}")
    table.fact(f"V04 {at_once} streams asked for at once, until the last is there", "%.0f ms" % (apps.hear("there")[0] / 1e6))
    times = [apps.hear("fair")[0] for _ in range(at_once)]
    mean = statistics.mean(times)
    table.fact(f"V04 {at_once} streams of {share // MIB} MiB at once: the first done and the last, against the mean",
               "%.2f and %.2f (%.0f MB/s together)" % (min(times) / mean, max(times) / mean,
                                                       at_once * share * 1e3 / max(times)),
               "within 20 %")
    for letter, found in zip("AB", memories):
        table.fact(f"V04 memory of daemon {letter} over those: before / peak / after", found.row(), "grown by at most 8 MiB")
