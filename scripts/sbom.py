#!/usr/bin/env python3
"""Writes the parts of a build as CycloneDX 1.5 in JSON, for those who must know what is inside of a program.

    scripts/sbom.py [--traits LIST] [--out FILE]      LIST: JPEG,PNG,…, or default,AVIF,… (without --traits: all)
    scripts/sbom.py --check [FILE]

The Swift packages are those of Package.resolved, which a build or `swift package resolve` writes; the C libraries those that the traits
link, with the versions of this machine (pkg-config, dpkg-query). Licences and traits come from Documentation/ThirdParty.md. Libraries
that C libraries link in turn are not listed. The same commit on the same machine gives the same file.

--check compares the tables of that page with Package.swift (and Package.resolved, where it is there), and the document, or FILE, with
what CycloneDX 1.5 requires. Prints one line for each fault, and ends with 1 if there is one.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

root = Path(__file__).resolve().parent.parent
page = "Documentation/ThirdParty.md"


def output(*command):
    """What the command prints, or nothing where it fails or is missing."""
    try: result = subprocess.run(command, cwd=root, capture_output=True, text=True)
    except OSError: return ""
    return result.stdout.strip() if result.returncode == 0 else ""


# The page and the package

def rows(heading):
    """The cells of each row of the first table below the heading, without back quotes."""
    text = (root / page).read_text(encoding="utf-8").split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    table = [line for line in text.split("\n") if line.startswith("|")][2:]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in table]


def traits_of(cell): return [] if cell == "every build" else [one.strip() for one in cell.split(",")]


libraries = [{"traits": traits_of(trait), "name": name, "pkg-config": config, "apt": apt, "licence": licence}
             for trait, name, config, apt, licence in rows("Libraries of the system")]
packages = {name: {"traits": traits_of(trait), "licence": licence} for name, trait, licence in rows("Swift packages")}
manifest = (root / "Package.swift").read_text(encoding="utf-8")
all_traits = re.findall(r'\.trait\(name: "(\w+)"', manifest)
default_traits = re.findall(r'"(\w+)"', re.search(r"\.default\(enabledTraits: \[([^\]]*)\]", manifest)[1])
enables = {name: re.findall(r'"(\w+)"', others)
           for name, others in re.findall(r'\.trait\(name: "(\w+)"[^\n]*enabledTraits: \[([^\]]*)\]', manifest)}
resolved = root / "Package.resolved"
pins = json.loads(resolved.read_text(encoding="utf-8"))["pins"] if resolved.exists() else None


def faults_of_the_page():
    linked = re.findall(r'pkgConfig: "([^"]+)", apt: "([^"]+)", trait: "([^"]+)"', manifest)
    if not linked: yield "Package.swift: no system library was found"
    for config, apt, trait in linked:
        if not any(one["pkg-config"] == config and one["apt"] == apt and one["traits"] == [trait] for one in libraries):
            yield f"{page}: no row has {config} of {apt} for the trait {trait}, which Package.swift links"
    for one in libraries:
        for trait in one["traits"]:
            if trait not in {trait for _, _, trait in linked}:
                yield f"{page}: {one['name']} stands with the trait {trait}, for which Package.swift links nothing"
    for name in packages:
        for trait in packages[name]["traits"]:
            if trait not in all_traits: yield f"{page}: {name} stands with the trait {trait}, which Package.swift does not have"
    direct = re.findall(r'\.package\(url: "[^"]*/([^"/]+)"', manifest)
    known = {one["identity"] for one in pins} if pins is not None else set()
    for name in sorted({name.removesuffix(".git") for name in direct} | known):
        if name not in packages: yield f"{page}: no row has the Swift package {name}"
    # The trait Metrics may be off in the last build, so a row without a pin is no fault.


# The document

def system_component(library):
    config = library["pkg-config"]
    version = output("pkg-config", "--modversion", config)
    # The package of the library itself, where it can be found; scanners know it rather than the one with the headers.
    package = library["apt"]
    names = re.findall(r"-l(\S+)", output("pkg-config", "--libs-only-l", config))
    if names and "header alone" not in library["name"]:
        # Some libraries name no folder of their own.
        files = list(Path(output("pkg-config", "--variable=libdir", config)).glob(f"lib{names[0]}.so"))
        files += Path("/usr/lib").glob(f"*-linux-gnu/lib{names[0]}.so")
        if files:
            path = str(files[0].resolve())
            owner = output("dpkg-query", "-S", path) or output("dpkg-query", "-S", path.removeprefix("/usr"))
            if owner: package = owner.split(":")[0]
    debian = output("dpkg-query", "-W", "-f", "${Version}", package)
    component = {"type": "library", "bom-ref": f"system:{config}", "name": library["name"],
                 "licenses": [{"expression": library["licence"]}]}
    version = version or re.sub(r"^\d+:|-[^-]*$", "", debian)
    if version: component["version"] = version
    if debian:
        release = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', Path("/etc/os-release").read_text(encoding="utf-8"), re.M))
        quoted = debian.replace(":", "%3A").replace("+", "%2B")
        component["purl"] = (f"pkg:deb/{release.get('ID', 'debian')}/{package}@{quoted}?arch={output('dpkg', '--print-architecture')}"
                             f"&distro={release.get('ID', 'debian')}-{release.get('VERSION_ID', '')}")
    component["properties"] = [{"name": "gannet:trait", "value": trait} for trait in library["traits"] or ["every build"]]
    return component


def swift_component(pin):
    name, location = pin["identity"], pin["location"].removesuffix(".git")
    version = pin["state"].get("version") or pin["state"]["revision"]
    known = packages.get(name, {"traits": [], "licence": "NOASSERTION"})
    licence = [{"license": {"name": "unknown"}}] if known["licence"] == "NOASSERTION" else [{"expression": known["licence"]}]
    return {"type": "library", "bom-ref": f"swift:{name}", "name": name, "version": version, "licenses": licence,
            "purl": f"pkg:swift/{re.sub(r'^[a-z]+://', '', location)}@{version}",
            "externalReferences": [{"type": "vcs", "url": location}],
            "properties": [{"name": "gannet:revision", "value": pin["state"]["revision"]}]
            + [{"name": "gannet:trait", "value": trait} for trait in known["traits"]]}


def document(traits):
    chosen = set(traits)
    for trait in traits: chosen |= set(enables.get(trait, []))
    is_in = lambda part: not part["traits"] or chosen & set(part["traits"])
    components = [swift_component(pin) for pin in pins if is_in(packages.get(pin["identity"], {"traits": []}))]
    components += [system_component(library) for library in libraries if is_in(library)]
    commit = output("git", "rev-parse", "HEAD")
    tag = output("git", "describe", "--tags", "--exact-match", "HEAD")
    written = re.search(r'static let version = "([^"]+)"', (root / "Sources/GannetCommand/Program.swift").read_text(encoding="utf-8"))
    version = tag or f"{written[1] if written else '0'}+{commit[:12]}"
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or output("git", "log", "-1", "--format=%ct") or "0"
    own = {"type": "library", "bom-ref": "gannet", "name": "gannet", "version": version, "licenses": [{"expression": "Apache-2.0"}],
           "properties": [{"name": "gannet:traits", "value": ",".join(trait for trait in all_traits if trait in chosen)}]}
    # Of everything that is said, so that another machine's document has another number.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([own, components], sort_keys=True))
    return {"$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.5",
            "serialNumber": f"urn:uuid:{number}", "version": 1,
            "metadata": {"timestamp": datetime.fromtimestamp(int(seconds), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "component": own},
            "components": components,
            "dependencies": [{"ref": "gannet", "dependsOn": [one["bom-ref"] for one in components]}]
            + [{"ref": one["bom-ref"]} for one in components]}


# What CycloneDX 1.5 requires

TYPES = {"application", "framework", "library", "container", "platform", "operating-system", "device", "device-driver", "firmware", "file",
         "machine-learning-model", "data"}
TOP = {"$schema", "bomFormat", "specVersion", "serialNumber", "version", "metadata", "components", "services", "externalReferences",
       "dependencies", "compositions", "vulnerabilities", "annotations", "formulation", "properties", "signature"}


def is_text(value): return isinstance(value, str) and value != ""


def faults_of_a_component(one, where):
    if not isinstance(one, dict):
        yield f"{where}: no object"
        return
    if one.get("type") not in TYPES: yield f"{where}: type is {one.get('type')!r}"
    if not is_text(one.get("name")): yield f"{where}: no name"
    if "bom-ref" in one and not is_text(one["bom-ref"]): yield f"{where}: an empty bom-ref"
    if "version" in one and not isinstance(one["version"], str): yield f"{where}: version is no text"
    if "purl" in one and not re.match(r"pkg:[a-z]+/.+", str(one["purl"])): yield f"{where}: purl is {one['purl']!r}"
    licences = one.get("licenses", [])
    for choice in licences:
        if "expression" in choice:
            if len(licences) > 1 or not is_text(choice["expression"]): yield f"{where}: an expression of licences stands alone"
        elif not (set(choice.get("license", {})) & {"id", "name"}): yield f"{where}: a licence without id and name"
    for reference in one.get("externalReferences", []):
        if not (is_text(reference.get("type")) and is_text(reference.get("url"))): yield f"{where}: a reference without type or url"


def faults_of_a_document(bom):
    if not isinstance(bom, dict):
        yield "no object"
        return
    if bom.get("bomFormat") != "CycloneDX": yield "bomFormat is not CycloneDX"
    if bom.get("specVersion") != "1.5": yield "specVersion is not 1.5"
    for key in sorted(set(bom) - TOP): yield f"{key}: no such field"
    number = r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    if not re.fullmatch(number, str(bom.get("serialNumber"))): yield "serialNumber is no UUID"
    if type(bom.get("version")) is not int or bom["version"] < 1: yield "version is not 1 or more"
    metadata = bom.get("metadata", {})
    try: datetime.fromisoformat(str(metadata.get("timestamp")).replace("Z", "+00:00"))
    except ValueError: yield "metadata.timestamp is no time"
    yield from faults_of_a_component(metadata.get("component"), "metadata.component")
    components = bom.get("components", [])
    for index, one in enumerate(components):
        name = one.get("bom-ref") if isinstance(one, dict) else None
        yield from faults_of_a_component(one, name or f"components[{index}]")
    if not components: yield "no components"
    everything = [one for one in [metadata.get("component"), *components] if isinstance(one, dict)]
    names = [one["bom-ref"] for one in everything if "bom-ref" in one]
    for name in sorted({name for name in names if names.count(name) > 1}): yield f"{name}: two components have this bom-ref"
    for dependency in bom.get("dependencies", []):
        others = dependency.get("dependsOn", [])
        for name in [dependency.get("ref"), *others]:
            if name not in names: yield f"dependencies: {name!r} is no component"
        if len(set(others)) < len(others): yield f"dependencies: {dependency.get('ref')} names a component twice"


parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--traits", help="the traits of the build, with commas between them")
parser.add_argument("--out", help="the file to write (default: standard output)")
parser.add_argument("--check", nargs="?", const="", metavar="FILE", help="check instead of writing")
arguments = parser.parse_args()
traits = all_traits
if arguments.traits is not None:
    named = [trait for trait in arguments.traits.split(",") if trait]
    traits = [trait for trait in named if trait != "default"] + (default_traits if "default" in named else [])
for trait in traits:
    if trait not in all_traits: sys.exit(f"There is no trait {trait}. Those of Package.swift: {', '.join(all_traits)}.")

if arguments.check is not None:
    faults = list(faults_of_the_page())
    if arguments.check:
        try: faults += faults_of_a_document(json.loads(Path(arguments.check).read_text(encoding="utf-8")))
        except (OSError, ValueError) as error: faults.append(f"{arguments.check}: {error}")
    else:
        # Before the first build the document has the system's libraries alone.
        pins = pins or []
        faults += faults_of_a_document(document(traits))
    for fault in faults: print(fault)
    if faults: sys.exit(f"{len(faults)} faults in the list of parts.")
    sys.exit(0)

if pins is None: sys.exit("There is no Package.resolved, which names the Swift packages. Build first, or run: swift package resolve")
text = json.dumps(document(traits), indent=2) + "\n"
if arguments.out: Path(arguments.out).write_text(text, encoding="utf-8")
else: sys.stdout.write(text)
