# SPDX-License-Identifier: Apache-2.0
"""X13: the cost of a malicious member, or a malicious local program, for the others. The floods are those of EndToEnd/member."""

import concurrent.futures, json, os, subprocess, threading, time

MEMBER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "EndToEnd", "member")
MEMBERS = {"renames": 900, "pings": 200_000, "boards": 200_000, "deltas": 200, "questions": 200_000, "rosters": 100_000, "fetches": 20_000,
           "hellos": 300}
# So often its activity is continued, which fails: 32,000 places of a document, and four gigabytes of which one byte comes.
OFFERS = {"offeredplaces": 20, "offeredcut": 20}
PROGRAMS = {"withdraws": 200_000, "requests": 200_000, "readings": 200_000}
# The longest that somebody else waits for an answer.
GOAL = "most < 100 ms"


def measure(bed, table, few, wait, node):
    """Of two connected devices, the first is flooded by a third device and by a program."""
    a, b = bed.a, bed.b
    c = node(bed, "c", b.address)
    c.namespace = b.namespace
    c.start()
    invite = json.loads(a.cli("account", "invite", "--no-wait", "--yes", "--json"))
    subprocess.run(c.inside([os.path.join(bed.bin, "handoff"), "account", "join", "--address", f"{a.address}:47474"]),
                   input=invite["code"] + "\n", text=True, check=True, capture_output=True)
    wait(lambda: sum(device["connected"] for device in json.loads(a.cli("device", "list", "--json"))) == 2,
         "the third device is not found")
    c.stop()
    publisher = a.spawn(os.path.join(bed.bin, "handoff"), "activity", "publish", "--type", "org.example.bench", "--title",
                        "bench-hostile", "--user-info", '{"line": 7}')
    watcher = b.spawn(os.path.join(bed.bench, "bench-client"), "watch", b.socket)
    watcher.wait("ready")

    def offered():
        # The first that was seen may be another's, such as what an app of this device has continued.
        watcher.say("report")
        while (seen := watcher.wait("seen"))[1] != "bench-hostile":
            pass
        return seen[3]

    time.sleep(1)
    activity = offered()
    pool = concurrent.futures.ThreadPoolExecutor(1)

    def run(kind, count, command, deed=None):
        before = resident(a)
        with open(f"/proc/{a.daemon.pid}/clear_refs", "w") as file:
            file.write("5")
        closed = ends(bed)
        flood = command and (a if kind in PROGRAMS else b).spawn(*command)
        echoes = Echoes(bed)
        work = pool.submit(deed) if deed else None

        def goes_on():
            return not work.done() if work else flood and not reported(flood)

        continued, end = [], time.monotonic() + (0.1 if few else 5)
        while time.monotonic() < end or goes_on() or not echoes.samples:
            watcher.say(f"continue {activity}")
            start = int(watcher.wait("asked")[1])
            continued.append(int(watcher.wait("done")[1]) - start)
            if len(continued) > 20_000:
                break
        answers = echoes.stop()
        if work:
            work.result()
        peak = most(a)
        lost = ends(bed) - closed
        out = ""
        if flood:
            flood.say("enough")
            flood.process.wait(30)
            wait(lambda: reported(flood), "the report of the flood")
            said = json.loads(reported(flood))
            out = f"; {next(said[key] for key in ('sent', 'dialled', 'streams') if key in said):,} went out"
        time.sleep(0.1 if few else 3)
        reads = ", answers read" if command and "--reads" in command else ""
        what = f"X13 {count:,} {kind}{reads}" if flood else "X13 nothing"
        table.fact(f"{what}: status asked by a program meanwhile, p50 / p99 / most", spread(answers), GOAL)
        table.fact(f"{what}: a state that another device continues, p50 / p99 / most", spread(continued), GOAL)
        table.fact(f"{what}: memory before / peak / after; sessions of others lost",
                   f"{before:.1f} / {peak:.1f} / {resident(a):.1f} MiB; {lost}{out}", "within 16 MiB; 0")

    run("nothing", 0, None)
    member = [MEMBER, a.address, "47474"]
    program = [MEMBER, "--socket", a.socket]
    state = os.path.join(c.root, "state")
    share = 1000 if few else 1
    for kind, count in MEMBERS.items():
        count = -(-count // share)
        run(kind, count, [*member, kind, "--count", str(count), "--state", state])
    for kind, count in OFFERS.items():
        count = -(-count // share)

        def go_on(kind=kind, count=count):
            """Continues its activity, which is there soon."""
            wait(lambda: harmless(a), "the member's activity")
            for _ in range(count):
                command = [os.path.join(bed.bin, "handoff"), "activity", "continue", harmless(a), "--json"]
                if subprocess.run(a.inside(command), capture_output=True).returncode == 0:
                    raise SystemExit(f"what {kind} offers was continued")

        run(kind, count, [*member, kind, "--state", state], go_on)
    for kind, count in PROGRAMS.items():
        run(kind, count // share, [*program, kind, "--count", str(count // share)])
    # The same by one that takes all answers.
    count = 200_000 // share
    run("questions", count, [*member, "questions", "--count", str(count), "--state", state, "--reads"])
    run("requests", count, [*program, "requests", "--count", str(count), "--reads"])
    publisher.close()
    watcher.close()


def reported(flood):
    return next((line for line in flood.lines if line.startswith("{")), None)


def harmless(node):
    """The id of the member's activity, as the device lists it."""
    return next((each["activity"] for each in json.loads(node.cli("activity", "list", "--json"))
                 if each["title"] == "harmless"), None)


class Echoes:
    """A program that asks for the status all the time, and how long each answer took."""

    def __init__(self, bed):
        self.samples = []
        self.process = subprocess.Popen(
            bed.a.inside([os.path.join(bed.bench, "bench-client"), "echo", bed.a.socket, "100000000"]), stdout=subprocess.PIPE,
            text=True)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.process.stdout:
            self.samples.append(int(line.split()[1]))

    def stop(self):
        self.process.terminate()
        self.thread.join()
        return self.samples


def spread(samples):
    ordered = sorted(samples)
    return " / ".join(f"{ordered[min(len(ordered) - 1, int(len(ordered) * share))] / 1e6:.1f}" for share in (0.5, 0.99, 1)) \
        + f" ms (n={len(ordered):,})"


def field(node, key):
    with open(f"/proc/{node.daemon.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key)) / 1024


def resident(node):
    return field(node, "VmRSS:")


def most(node):
    return field(node, "VmHWM:")


def ends(bed):
    """Sessions of the second device with the first that the first has seen end."""
    short = json.loads(bed.b.cli("status", "--json"))["device"].split("-")[0]
    with open(os.path.join(bed.folder, "a.log"), errors="replace") as file:
        return sum(f"device={short} " in line and line.rstrip().endswith("Session closed") for line in file)
