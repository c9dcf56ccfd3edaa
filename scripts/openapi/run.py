#!/usr/bin/env python3
"""Starts a gannet with sources on the loopback and runs schemathesis with the description against it. Used by scripts/openapi.sh.

    run.py GANNET openapi.yaml EXAMPLES [OPTION OF SCHEMATHESIS…]
"""
import base64, json, os, pathlib, subprocess, sys, tempfile

import yaml

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent))
from serving import Service, Sources

gannet, description, examples = sys.argv[1:4]
sources = Sources()
# Of purges; nothing that schemathesis makes is signed with it.
key = tempfile.NamedTemporaryFile()
key.write(os.urandom(32).hex().encode())
key.flush()
service = Service(gannet, sources, "--allow-costly", "--timeout", "0.5", "--purge-key-file", key.name)
document = yaml.safe_load(pathlib.Path(description).read_text())

# Most texts of the pattern are hosts that nobody allows; these sources there are, or something is wrong with them.
names = ["a.png", "b.png", "folder/c.png", "none", "cut", "slow", "moved", "busy", "text", "damaged", "huge"]
urls = [sources.url(name) for name in names]
schemas = document["components"]["schemas"]
schemas["source"] = {"anyOf": [{"enum": urls}, schemas["source"]]}
# Hardly a text of the pattern is the base64url of a URL.
schemas["encoded"] = {"enum": [base64.urlsafe_b64encode(url.encode()).decode().rstrip("=") + end for url in urls for end in ("", ".png", ".webp")]}
# Those that this build writes.
schemas["format"]["enum"] = [name for name in schemas["format"]["enum"] if service.get(f"/_/f:{name}/plain/{urls[0]}").status == 200]
(service.folder / "openapi.json").write_text(json.dumps(document))

# OpenAPI 3.1 has no word for the method PURGE, which /purge understands too: the values of Allow are in the description, and checked as such.
words = [pathlib.Path(sys.executable).with_name("schemathesis"), "--config-file", here / "schemathesis.toml", "run", service.folder / "openapi.json",
         "--url", f"http://127.0.0.1:{service.port}", "--max-examples", examples, "--phases", "examples,coverage,fuzzing", "--checks", "all",
         "--exclude-checks", "allow_header_conformance",
         "--continue-on-failure", *sys.argv[4:]]
result = subprocess.run([str(word) for word in words], cwd=service.folder).returncode
code = service.stop()
if code not in (0, -15, 130, 143): sys.exit(f"The service ended with {code}: {service.errors()}")
sys.exit(result)
