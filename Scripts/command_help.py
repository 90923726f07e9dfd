# SPDX-License-Identifier: Apache-2.0
"""The help of `handoff`, from ArgumentParser's dump. For Scripts/manual and Scripts/cli-page."""

import json, subprocess

# Described once, for all commands.
COMMON = {"json", "root", "help", "version"}


def root(program):
    dump = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    return json.loads(dump)["command"]


def verbs(command, names=()):
    """Each command without subcommands, with its full name."""
    names = names + (command["commandName"],)
    children = [each for each in command.get("subcommands", []) if each["shouldDisplay"]
                and each["commandName"] != "help"]
    if not children:
        yield " ".join(names), command
    for child in children:
        yield from verbs(child, names)


def arguments(command):
    """The arguments of this command. A flag and its opposite are one, which has the names of both."""
    found = []
    for each in command.get("arguments", []):
        name = each.get("preferredName", {}).get("name")
        if not each["shouldDisplay"] or name in COMMON:
            continue
        before = found[-1].get("preferredName", {}).get("name") if found else None
        if before and name == f"no-{before}":
            found[-1] = found[-1] | {"names": found[-1]["names"] + each["names"], "preferredName": each["preferredName"]}
        else:
            found.append(each)
    return found
