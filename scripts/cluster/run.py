#!/usr/bin/env python3
"""Three replicas behind nginx or Varnish under load; one is killed and started again. Used by scripts/cluster.sh.

    run.py GANNET CONFIGURATION SECONDS
"""
import collections, http.client, os, pathlib, random, re, signal, sys, threading, time

from pieces import address, end_all, fail, fetched, free_port, get, kill_all, lock, replica, start, until_ready, work

gannet, conf, seconds = sys.argv[1], pathlib.Path(sys.argv[2]).read_text(), float(sys.argv[3])
images, threads = 200, 8


def front(conf, ports):
    """Starts the program of the configuration, on the last port."""
    if sys.argv[2].endswith(".vcl"):
        for number, port in zip((8081, 8082, 8083), ports): conf = conf.replace(f'.port = "{number}"', f'.port = "{port}"')
        (work / "varnish.vcl").write_text(conf)
        # Its own user reads the file.
        os.chmod(work, 0o755)
        start("varnishd", "-F", "-n", str(work / "varnish"), "-a", f"127.0.0.1:{ports[3]}", "-f", str(work / "varnish.vcl"), "-s", "malloc,100m")
        return
    for number, port in zip((8081, 8082, 8083), ports): conf = conf.replace(f"127.0.0.1:{number}", f"127.0.0.1:{port}")
    conf = conf.replace("listen 8080", f"listen 127.0.0.1:{ports[3]}").replace("/var/cache/nginx/gannet", str(work / "nginx"))
    conf = conf.replace("worker_processes auto;", f"{'user root; ' if os.geteuid() == 0 else ''}worker_processes 2; daemon off; pid {work}/nginx.pid; error_log {work}/nginx.log;")
    conf = conf.replace("http {", f"http {{ access_log off; client_body_temp_path {work}/b; proxy_temp_path {work}/p; fastcgi_temp_path {work}/f;"
                        f" uwsgi_temp_path {work}/u; scgi_temp_path {work}/s;", 1)
    (work / "nginx.conf").write_text(conf)
    start("nginx", "-p", str(work), "-e", str(work / "nginx.log"), "-c", str(work / "nginx.conf"))


try:
    ports = [free_port() for _ in range(4)]
    replicas = [replica(gannet, index, port) for index, port in enumerate(ports[:3])]
    for port in ports[:3]: until_ready(port)
    front(conf, ports)
    until_ready(ports[3], "/health")

    # Each replica by itself gives the same bytes and the same tag.
    for number in range(3):
        answers = {(get(port, address(number, 20))[2], get(port, address(number, 20))[1]["ETag"]) for port in ports[:3]}
        if len(answers) != 1: fail("replicas differ")
    print("Equal bytes and tags from each replica.")

    fetched.clear()
    expected, first = {}, range(1000, 1000 + images)
    for number in first:
        for width in (16, 24, 32):
            status, headers, body = get(ports[3], address(number, width))
            if status != 200: fail(f"{status} for {number}")
            expected[number, width] = body
    if len(set(expected.values())) != len(expected): fail("two addresses have the same answer")
    again = max(fetched.values())
    if again > 1: fail(f"a source was fetched {again} times: its addresses went to several replicas")
    shares = []
    for port in ports[:3]:
        text = get(port, "/metrics")[2].decode()
        shares.append(int(re.search(r"^gannet_downloads_total (\d+)", text, re.M)[1]))
    print(f"{images} sources in 3 sizes each, every source fetched once; by replica (with the 3 above): {shares}.")
    if get(ports[3], "/metrics")[0] != 404: fail("strangers can read the metrics")

    # Under load: addresses that are cached, and such as nobody asked for before.
    stop, results, wrong = threading.Event(), collections.Counter(), []

    def load(seed):
        choose = random.Random(seed)
        while not stop.is_set():
            number, width = choose.choice(first), choose.choice((16, 24, 32, 40 + choose.randrange(24)))
            try: status, headers, body = get(ports[3], address(number, width))
            except (OSError, http.client.HTTPException) as error:
                wrong.append(f"{number}: {error!r}")
                continue
            results[status] += 1
            with lock: known = expected.setdefault((number, width), body) if status == 200 else None
            if status == 200 and (known != body or len(body) != int(headers["Content-Length"])): wrong.append(f"{number}, {width}: another image")

    begin = time.monotonic()
    workers = [threading.Thread(target=load, args=(seed,)) for seed in range(threads)]
    for worker in workers: worker.start()
    time.sleep(seconds / 4)
    replicas[0].send_signal(signal.SIGKILL)
    replicas[0].wait()
    time.sleep(seconds / 2)
    replicas[0] = replica(gannet, 0, ports[0])
    until_ready(ports[0])
    time.sleep(seconds / 4)
    stop.set()
    for worker in workers: worker.join()
    total = sum(results.values())
    print(f"{total} answers in {time.monotonic() - begin:.0f} s, a replica killed and started again: {dict(results)}, {len(wrong)} wrong.")
    if wrong: fail("; ".join(wrong[:5]))
    if set(results) != {200}: fail("an answer was not 200")
    end_all(replicas)
finally:
    kill_all()
