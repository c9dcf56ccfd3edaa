#!/usr/bin/env python3
"""Checks what a repository needs beside its code: scripts/repository.py

The files of the list below are there, and each parses: YAML where python3-yaml is installed. Workflows may only read, have a limit of
time for each job, name actions by the SHA of a commit, and call scripts and steps of scripts/check-all.sh that exist. README's two
commands are run by the workflow for every change, and one of them by .ci/run. Forms for issues have what the host requires.
.editorconfig agrees with .swift-format. Pages at the top name only scripts that exist. CODEOWNERS and dependabot.yml name only what is
there, and .spi.yml only targets of Package.swift. Each folder of tests is a target. scripts/sbom.py --check holds.

Prints one line for each fault, and ends with 1 if there is one.
"""
import configparser
import json
import os
import re
import subprocess
import sys
from pathlib import Path

try: import yaml
except ImportError: yaml = None

root = Path(__file__).resolve().parent.parent
NEEDED = """README.md LICENSE NOTICE CHANGELOG.md CONTRIBUTING.md CODE_OF_CONDUCT.md SECURITY.md RELEASING.md Documentation/ThirdParty.md
.github/workflows/tests.yml .github/workflows/nightly.yml .github/workflows/release.yml .github/dependabot.yml .github/CODEOWNERS
.github/ISSUE_TEMPLATE/config.yml .github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/wrong-image.yml .github/ISSUE_TEMPLATE/feature.yml
.github/pull_request_template.md .spi.yml .editorconfig .gitattributes .swift-format .gitignore .devcontainer/devcontainer.json .ci/run
scripts/release.sh scripts/sbom.py scripts/api.sh scripts/deb.sh scripts/container.sh scripts/toolchain.sh deploy/Containerfile""".split()
faults = []


def check(holds, fault):
    if not holds: faults.append(fault)


def text(name): return (root / name).read_text(encoding="utf-8") if (root / name).is_file() else ""


def files(pattern): return sorted(str(path.relative_to(root)) for path in root.glob(pattern))


def is_command(name): return (root / name).is_file() and os.access(root / name, os.X_OK)


SCRIPT = re.compile(r"(?<![\w./-])(scripts/[\w./-]*\w\.(?:sh|py))\b")

# There, and readable by programs

for name in NEEDED: check(text(name).strip(), f"{name}: missing or empty")
for name in NEEDED:
    if name.startswith("scripts/"): check(is_command(name), f"{name}: cannot be executed")
parsed = {}
if yaml is None: print("python3-yaml is not installed: YAML files are not parsed.")
else:
    for name in [*files(".github/**/*.yml"), ".spi.yml", *files("Documentation/**/*.yaml")]:
        try: parsed[name] = yaml.safe_load(text(name))
        except yaml.YAMLError as error: faults.append(f"{name}: {' '.join(str(error).split())}")
for name in [".swift-format", *files(".devcontainer/*.json")]:
    try: json.loads(text(name))
    except ValueError as error: faults.append(f"{name}: {error}")

# Workflows

steps_of_all = set(re.findall(r"^if wants (\w+)", text("scripts/check-all.sh"), re.M))
for name in files(".github/workflows/*.yml"):
    workflow = text(name)
    # Beginnings of lines: the only words of YAML that these checks need, so that they hold without python3-yaml.
    reads = re.search(r"^permissions:\n  contents: read\n(?! )", workflow, re.M)
    check(reads, f"{name}: permissions at the top are not contents: read alone")
    check(not re.search(r"^\s+[\w-]+: write\b|permissions: write-all", workflow, re.M), f"{name}: a job may write")
    jobs = workflow.partition("\njobs:\n")[2]
    for job in re.split(r"^  (?=[\w-]+:$)", jobs, flags=re.M)[1:]:
        check("\n    timeout-minutes: " in job, f"{name}: the job {job.split(':')[0]} has no timeout-minutes")
    for action in re.findall(r"\buses: *(.+)", workflow):
        is_pinned = re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d[\w.]*", action)
        check(is_pinned, f"{name}: {action} is not an action by SHA, with its version behind a #")
    for script in SCRIPT.findall(workflow): check(is_command(script), f"{name}: {script} is no command here")
    named = re.findall(r"check-all\.sh ([a-z][\w -]*)$", workflow, re.M) + re.findall(r"^ +step:\s+\[([^\]]*)\]", workflow, re.M)
    for step in re.findall(r"[\w-]+", " ".join(named)): check(step in steps_of_all, f"{name}: scripts/check-all.sh has no step {step}")

# The two commands that README promises

promised = re.findall(r"^scripts/\S+", re.search(r"```sh\n(.*?)```", text("README.md") or "```sh\n```", re.S)[1], re.M)
run = re.findall(r"\brun: *(.+)", text(".github/workflows/tests.yml"))
check(len(promised) == 2, f"README.md: its first commands are {promised}, not two")
for command in promised: check(command in run, f".github/workflows/tests.yml: does not run {command}, which README.md promises")
own = re.findall(r"^exec (\S+)$", text(".ci/run"), re.M)
check(len(own) == 1 and own[0] in promised, f".ci/run: runs {own}, not one of README.md's commands")

# Forms for issues

for name, form in parsed.items():
    if "/ISSUE_TEMPLATE/" not in name: continue
    if name.endswith("/config.yml"):
        for link in form.get("contact_links", []):
            check({"name", "url", "about"} <= set(link), f"{name}: a link lacks its name, url or about")
        continue
    for key in ("name", "description", "body"): check(form.get(key), f"{name}: no {key}")
    ids = [part["id"] for part in form.get("body", []) if "id" in part]
    check(len(set(ids)) == len(ids), f"{name}: two questions have one id")
    for part in form.get("body", []):
        kind, attributes = part.get("type"), part.get("attributes", {})
        check(kind in ("markdown", "textarea", "input", "dropdown", "checkboxes"), f"{name}: {kind} is no kind of question")
        check(attributes.get("value" if kind == "markdown" else "label"), f"{name}: {part.get('id', kind)} asks nothing")
        if kind == "dropdown":
            is_text = all(isinstance(one, str) for one in attributes.get("options", [None]))
            check(is_text, f"{name}: {part.get('id')} has options that are no text")

# Style of the editor

editor = configparser.ConfigParser(interpolation=None)
editor.read_string("[top]\n" + text(".editorconfig"))
style = json.loads(text(".swift-format") or "{}")
if editor.has_section("*"):
    for key, value in {"max_line_length": style.get("lineLength"), "indent_size": style.get("indentation", {}).get("spaces")}.items():
        check(editor["*"].get(key) == str(value), f".editorconfig: {key} is not the {value} of .swift-format")
else: faults.append(".editorconfig: no section for all files")

# Scripts that pages name

for name in files("*.md") + [".github/pull_request_template.md"]:
    for script in sorted(set(SCRIPT.findall(text(name)))): check(is_command(script), f"{name}: {script} is no command here")

# Files, folders and targets that the host's files name

for line in text(".github/CODEOWNERS").split("\n"):
    path = line.split()[0] if line.strip() else "#"
    if path.startswith("/"): check((root / path.strip("/")).exists(), f".github/CODEOWNERS: there is no {path}")
for folder in re.findall(r"/[\w/]*", " ".join(re.findall(r"director(?:y|ies): *(.+)", text(".github/dependabot.yml")))):
    check((root / folder.strip("/")).is_dir(), f".github/dependabot.yml: there is no folder {folder}")
targets = re.findall(r'\.target\(\s*name: "(\w+)"', text("Package.swift"))
documented = re.search(r"documentation_targets:\s*\[([^\]]*)\]", text(".spi.yml"))
check(documented, ".spi.yml: names no targets")
for target in re.findall(r"\w+", documented[1] if documented else ""):
    check(target in targets, f".spi.yml: Package.swift has no target {target}")

# A folder that belongs to no target is not built, and nobody would notice

for folder in sorted({path.parts[1] for path in (Path(name) for name in files("Tests/**/*.swift"))}):
    check(f'"{folder}"' in text("Package.swift"), f"Tests/{folder}: no target of Package.swift has this folder")

result = subprocess.run([sys.executable, root / "scripts/sbom.py", "--check"], capture_output=True, text=True)
faults += result.stdout.split("\n")[:-1] or ([f"scripts/sbom.py --check: {result.stderr.strip()}"] if result.returncode else [])

for fault in faults: print(fault)
if faults: sys.exit(f"{len(faults)} faults in what a repository needs.")
