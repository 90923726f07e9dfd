# SPDX-License-Identifier: Apache-2.0
"""B17: documents that are transferred with an activity, compared with the same bytes as a stream, and with a continuation without
documents.

For Benchmarks/run, which creates the two namespaces and the joined daemons in them."""

import filecmp, json, os, plistlib, shutil, subprocess, sys, time

import hostile, streams

HERE = os.path.dirname(os.path.abspath(__file__))
APP = "org.example.bench.documents"
CONTAINER = "iCloud.org.example.bench.documents"
FILE = "org.example.bench.file"
MB = 1_000_000
# Bytes a second: a home's Wi-Fi.
SLOW = 30 * MB
# After a load the daemon gives its memory back within that, seconds.
GIVEN_BACK = 15
# What the loop may wait for any of it.
LOOP = "most < 5 ms"


class Apps:
    """The same app on both devices, with a container each."""

    def __init__(self, bed, wait):
        self.bed, self.until = bed, wait
        bundle = os.path.join(bed.folder, "Documents.app")
        os.makedirs(os.path.join(bundle, "Contents", "Linux"))
        shutil.copy(os.path.join(bed.bench, "bench-documents"), os.path.join(bundle, "Contents", "Linux"))
        kinds = [{"CFBundleTypeName": "Package", "CFBundleTypeExtensions": ["package"], "LSTypeIsPackage": True}]
        info = {"CFBundleIdentifier": APP, "CFBundleName": "Documents", "CFBundleExecutable": "bench-documents",
                "NSUserActivityTypes": [APP], "CFBundleDocumentTypes": kinds}
        entitlements = {"com.apple.developer.ubiquity-container-identifiers": [CONTAINER]}
        for name, content in (("Info.plist", info), ("Entitlements.plist", entitlements)):
            with open(os.path.join(bundle, "Contents", name), "wb") as file:
                plistlib.dump(content, file)
        self.programs, self.folders = [], []
        for node in (bed.a, bed.b):
            node.cli("app", "install", "--development", bundle)
            path = [app for app in json.loads(node.cli("app", "list", "--json")) if app["bundle"] == APP][0]["path"]
            program = node.spawn(os.path.join(path, "Contents", "Linux", "bench-documents"))
            # It asks the daemon, which has to know the program by then.
            program.say("container")
            self.folders.append(program.wait("container")[1])
            self.programs.append(program)
        self.watcher = bed.b.spawn(os.path.join(bed.bench, "bench-client"), "watch", bed.b.socket)
        self.watcher.wait("ready")

    def name(self, file=None):
        """The first device's app has it open, and the second knows."""
        self.programs[0].say(f"name {self.here(file)}" if file else "name")
        self.programs[0].wait("named")
        listed = []

        def is_listed():
            title = "bench-document" if file else "bench-none"
            listed[:] = [each["activity"] for each in json.loads(self.bed.b.cli("activity", "list", "--json"))
                         if each["type"] == APP and each["title"] == title]
            return len(listed) == 1
        self.until(is_listed, "the activity is not offered")
        self.activity = listed[0]

    def here(self, name):
        return os.path.join(self.folders[0], name)

    def there(self, name):
        return os.path.join(self.folders[1], name)

    def go_on(self):
        """From the wish until the app has it, nanoseconds."""
        self.watcher.say(f"continue {self.activity}")
        began = int(self.watcher.wait("asked")[1])
        return int(self.programs[1].wait("continue", 120)[1]) - began

    def close(self):
        for each in (*self.programs, self.watcher):
            each.close()


def random_file(path, size):
    with open(path, "wb") as file:
        for _ in range(size // MB):
            file.write(os.urandom(MB))


def same(apps, name):
    if not filecmp.cmp(apps.here(name), apps.there(name), shallow=False):
        raise SystemExit(f"{name} came damaged")


def change(path, offset, count=1_000):
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(os.urandom(count))


def measure(bed, table, few, wait):
    """The devices are joined, and nothing else goes on."""
    print("documents", file=sys.stderr)
    rounds, members, size = (1, 100, 2) if few else (10, 5_000, 100)
    apps = Apps(bed, wait)
    plain(apps, table, few)
    whole(bed, apps, table, rounds, size, wait)
    equal(apps, table, rounds, size)
    package(bed, apps, table, few, rounds, members)
    loops(bed, apps, table, few, size, members)
    slowly(bed, apps, table, 1 if few else 5, size)
    apps.close()


def plain(apps, table, few):
    apps.name()
    apps.go_on()
    table.add("floor: a continuation of that app without a document", [apps.go_on() for _ in range(1 if few else 100)])


def whole(bed, apps, table, rounds, size, wait):
    """In turns: as a document, as a stream, and written and synced alone."""
    random_file(apps.here("film"), size * MB)
    source, target = apps.here("film"), os.path.join(apps.folders[1], "taken")
    publisher = bed.a.spawn(os.path.join(bed.bin, "handoff"), "activity", "publish", "--type", FILE,
                            "--stream", source)
    samples, commands, copies = [], [], []
    for _ in range(rounds):
        apps.name("film")
        remove(apps.there("film"))
        samples.append(apps.go_on())
        same(apps, "film")
        wait(lambda: streams.offered(bed, FILE), "the file is not offered")
        [file] = streams.offered(bed, FILE)
        began = time.monotonic_ns()
        bed.b.cli("activity", "continue", file, "--stream-to", target)
        commands.append(time.monotonic_ns() - began)
        os.remove(target)
        began = time.monotonic_ns()
        subprocess.run(["dd", f"if={source}", f"of={target}", "bs=1M", "conv=fsync"], check=True, capture_output=True)
        copies.append(time.monotonic_ns() - began)
        os.remove(target)
    publisher.close()
    table.add(f"floor: {size} MB copied by dd, and synced", copies)
    table.add("floor: the same by handoff activity continue --stream-to, which syncs", commands)
    table.add(f"B17 a document of {size} MB that is not there", samples, goal="1.3 x the stream")


def equal(apps, table, rounds, size):
    apps.name("film")
    apps.go_on()
    table.add(f"B17 {size} MB that are there already, hashes known", [apps.go_on() for _ in range(rounds * 5)],
              goal="5 ms more than without a document")
    samples = []
    for _ in range(rounds):
        for path in (apps.here("film"), apps.there("film")):
            os.utime(path)
        samples.append(apps.go_on())
    table.add("B17 the same, both files touched", samples, goal="p50 < 300 ms")


def package(bed, apps, table, few, rounds, members):
    """Nothing is removed before: of an inode that was freed minutes ago ext4 makes sure, at length, that nobody has it."""
    def make(name):
        for number in range(members):
            folder = os.path.join(apps.here(name), str(number % 50))
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, str(number)), "wb") as file:
                file.write(os.urandom(2_000))

    samples, before = [], hostile.resident(bed.b)
    for index in range(rounds):
        make(f"{index}.package")
        apps.name(f"{index}.package")
        samples.append(apps.go_on())
    table.add(f"B17 a package of {members:,} members that is not there", samples)
    peak = hostile.resident(bed.b)
    time.sleep(0.1 if few else GIVEN_BACK)
    table.fact(f"memory of the daemon that takes them, before / after / {GIVEN_BACK} s later",
               f"{before:.1f} / {peak:.1f} / {hostile.resident(bed.b):.1f} MiB", "within 16 MiB of before")
    make("a.package")
    apps.name("a.package")
    apps.go_on()
    samples = []
    for index in range(rounds):
        change(os.path.join(apps.here("a.package"), "7", "57"), index, 10)
        samples.append(apps.go_on())
    if subprocess.run(["diff", "-r", apps.here("a.package"), apps.there("a.package")]).returncode:
        raise SystemExit("the package came damaged")
    table.add(f"B17 one member of {members:,} changed", samples, goal="p50 < 1 s")


def loops(bed, apps, table, few, size, members):
    """What a program waits for an answer meanwhile, on either device: one that asks each millisecond."""
    def echoes(node):
        return Asking(bed, node)
    for letter, node in (("A", bed.a), ("B", bed.b)):
        asking = echoes(node)
        time.sleep(0.1 if few else 3)
        table.fact(f"daemon {letter} asked each ms, nothing else: p50 / p99 / most", hostile.spread(asking.stop()))
    for what, prepare in ((f"{size} MB that are not there", lambda: remove(apps.there("film"))),
                          (f"{size} MB, both files touched", lambda: [os.utime(apps.here("film")), os.utime(apps.there("film"))])):
        apps.name("film")
        for letter, node in (("A", bed.a), ("B", bed.b)):
            asking = echoes(node)
            for _ in range(1 if few else 5):
                prepare()
                apps.go_on()
            table.fact(f"daemon {letter} asked each ms, {what}: p50 / p99 / most", hostile.spread(asking.stop()), LOOP)
    apps.name("a.package")
    for letter, node in (("A", bed.a), ("B", bed.b)):
        asking = echoes(node)
        for index in range(1 if few else 3):
            change(os.path.join(apps.here("a.package"), "7", "57"), index, 10)
            apps.go_on()
        table.fact(f"daemon {letter} asked each ms, one member of {members:,} changed: p50 / p99 / most",
                   hostile.spread(asking.stop()), LOOP)


class Asking:
    def __init__(self, bed, node):
        self.program = node.spawn(os.path.join(bed.bench, "bench-client"), "pulse", node.socket)
        self.program.wait("ready")

    def stop(self):
        self.program.say("enough")
        samples = [int(word) for word in self.program.wait("pulse")[1:]]
        self.program.close()
        return samples


def slowly(bed, apps, table, rounds, size):
    """Over a network of 30 MB/s."""
    link = ["tc", "-n", bed.a.namespace, "qdisc", "replace", "dev", "hbA", "root", "tbf", "rate", str(SLOW * 8), "burst", "256kb",
            "latency", "50ms"]
    subprocess.run(link, check=True)
    apps.name("film")
    all_of_it, little = [], []
    for index in range(rounds):
        remove(apps.there("film"))
        all_of_it.append(apps.go_on())
        change(apps.here("film"), size // 2 * MB + index)
        little.append(apps.go_on())
        same(apps, "film")
    table.add(f"B17 {size} MB that are not there, at 30 MB/s", all_of_it)
    table.add(f"B17 1 KB of {size} MB changed, at 30 MB/s", little, goal="p50 < 600 ms")
    subprocess.run(["tc", "-n", bed.a.namespace, "qdisc", "del", "dev", "hbA", "root"], check=True)


def remove(path):
    if os.path.exists(path):
        os.remove(path)
