# SPDX-License-Identifier: Apache-2.0
"""What a process has used so far, from /proc."""

import glob, time


def wait(condition, complaint, seconds=15):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(complaint)
        time.sleep(0.0005)


def mebibytes(pid):
    """Resident, proportional and anonymous."""
    fields = {}
    with open(f"/proc/{pid}/smaps_rollup") as file:
        for line in file:
            words = line.split()
            if len(words) == 3 and words[2] == "kB":
                fields[words[0].rstrip(":")] = int(words[1]) / 1024
    return fields["Rss"], fields["Pss"], fields["Anonymous"]


def switches(pid):
    """Context switches of all threads."""
    total = 0
    for status in glob.glob(f"/proc/{pid}/task/*/status"):
        with open(status) as file:
            total += sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
    return total
