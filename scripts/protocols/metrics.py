"""The metrics with promtool, and the alerts with promtool and a Prometheus that scrapes the service."""
import json, re, socket, subprocess, time, urllib.request

# Only services that share stores, or send traces, have these.
ELSEWHERE = {"gannet_shared_open", "gannet_purges_read_seconds", "gannet_trace_spans_total"}


def run(service, rules, tests, folder):
    """Rows of the table, and faults."""
    faults = []
    def promtool(*words, text=None):
        result = subprocess.run(["promtool", *map(str, words)], input=text, capture_output=True, text=True)
        output = (result.stdout + result.stderr).strip()
        if result.returncode != 0 or text and output: faults.append(f"promtool {' '.join(map(str, words))}: {output}")
        return output
    exposed = service.get("/metrics").body.decode()
    promtool("check", "metrics", text=exposed)
    number = re.search(r"(\d+) rules? found", promtool("check", "rules", rules))
    promtool("test", "rules", tests)
    families = set(re.findall(r"^# TYPE (\S+)", exposed, re.M))
    used = set(re.findall(r"\b(?:gannet|process)_[a-z_]+", re.sub(r"annotations:\n\s*summary:.*", "", rules.read_text())))
    used = {re.sub("_bucket$", "", name) for name in used}
    faults += [f"an alert names {name}, which the service does not have" for name in sorted(used - families - ELSEWHERE)]
    health = prometheus(service, rules, folder)
    wrong = [f"{name}: {state}" for name, state in sorted(health.items()) if state != "ok"]
    faults += wrong
    rows = [["metrics that `promtool check metrics` reads", str(len(families))], ["alerts that `promtool check rules` reads", number[1] if number else "none"],
            ["alerts with a test in `promtool test rules`", str(len(set(re.findall(r"alertname: (\w+)", tests.read_text()))))],
            ["alerts that a running Prometheus evaluated over the service's own metrics", str(sum(state == "ok" for state in health.values()))]]
    print(f"Prometheus: {rows}", flush=True)
    if len({row[1] for row in rows[1:]}) != 1: faults.append(f"not every alert was read, tested and evaluated: {rows}")
    return rows, faults


def prometheus(service, rules, folder):
    """What a Prometheus that scrapes the service says of each alert, when it has evaluated all of them."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    configuration = folder / "prometheus.yml"
    configuration.write_text(json.dumps({
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": [str(rules)],
        "scrape_configs": [{"job_name": "gannet", "static_configs": [{"targets": [f"127.0.0.1:{service.port}"]}]}]}))
    process = subprocess.Popen(["prometheus", f"--config.file={configuration}", f"--storage.tsdb.path={folder / 'data'}", f"--web.listen-address=127.0.0.1:{port}"],
                               stdout=subprocess.DEVNULL, stderr=open(folder / "prometheus.log", "wb"))
    def ask(path):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/{path}", timeout=5) as answer: return json.load(answer)["data"]
    try:
        health, end = {}, time.monotonic() + 60
        while time.monotonic() < end:
            try:
                up = any(target["health"] == "up" for target in ask("targets")["activeTargets"])
                health = {rule["name"]: rule["health"] + (f": {rule['lastError']}" if rule.get("lastError") else "") for group in ask("rules")["groups"] for rule in group["rules"]}
                if up and health and not any(state.startswith("unknown") for state in health.values()): return health
            except OSError: pass
            time.sleep(0.2)
        return health or {"Prometheus": (folder / "prometheus.log").read_text()[-500:]}
    finally:
        process.terminate()
        process.wait()
