# SPDX-License-Identifier: Apache-2.0
"""What a member, or a local program, that means ill costs the others: X13. The floods are those of EndToEnd/member."""

import json, os, subprocess, threading, time

MEMBER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "EndToEnd", "member")
MEMBERS = {"renames": 900, "pings": 200_000, "boards": 200_000, "questions": 200_000, "rosters": 100_000, "fetches": 20_000,
           "hellos": 300}
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
        watcher.say("report")
        return watcher.wait("seen")[3]

    time.sleep(1)
    activity = offered()

    def run(kind, count, command):
        before = resident(a)
        with open(f"/proc/{a.daemon.pid}/clear_refs", "w") as file:
            file.write("5")
        closed = ends(bed)
        flood = command and b.spawn(*command) if kind in MEMBERS else command and a.spawn(*command)
        echoes = Echoes(bed)
        continued, end = [], time.monotonic() + (2 if few else 5)
        while time.monotonic() < end or flood and not any(line.startswith("{") for line in flood.lines):
            watcher.say(f"continue {activity}")
            start = int(watcher.wait("asked")[1])
            continued.append(int(watcher.wait("done")[1]) - start)
            if len(continued) > 20_000:
                break
        answers = echoes.stop()
        peak = most(a)
        lost = ends(bed) - closed
        out = ""
        if flood:
            said = json.loads(next(line for line in flood.lines if line.startswith("{")))
            out = f"; {said.get('sent', said.get('dialled')):,} went out"
            flood.say("enough")
            flood.process.wait(30)
        time.sleep(3)
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
    for kind, count in MEMBERS.items():
        run(kind, count, [*member, kind, "--count", str(count), "--state", state])
    for kind, count in PROGRAMS.items():
        run(kind, count, [*program, kind, "--count", str(count)])
    # The same by one that takes all answers.
    run("questions", 200_000, [*member, "questions", "--count", "200000", "--state", state, "--reads"])
    run("requests", 200_000, [*program, "requests", "--count", "200000", "--reads"])
    publisher.close()
    watcher.close()


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
