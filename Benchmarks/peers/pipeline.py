#!/usr/bin/env python3
"""The whole way, in one run: serves seeded crops on loopback and runs our program and its peers one after the other.

    peers/pipeline.py PHOTOS WORK --program PATH/TO/PipelineBenchmark [--count 500] [--quick]

WORK: an empty folder for pictures and caches (about 1 MB a picture). Needs nginx. Prints JSON lines.
"""
import argparse, json, os, shutil, subprocess, sys, tempfile, time, urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))


NGINX = """daemon off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/nginx.log;
events {{ worker_connections 1024; }}
http {{
    access_log off; sendfile on; keepalive_requests 1000000;
    types {{ image/jpeg jpg; }}
    client_body_temp_path {work}/t1; proxy_temp_path {work}/t2; fastcgi_temp_path {work}/t3; uwsgi_temp_path {work}/t4; scgi_temp_path {work}/t5;
    add_header Cache-Control max-age=86400;
    server {{ listen 127.0.0.1:18611; root {work}/large; }}
    server {{ listen 127.0.0.1:18612; root {work}/small; }}
}}
"""


def serve(work):
    """nginx for both folders: a server that takes little of the processors that are measured."""
    path = os.path.join(os.path.abspath(work), "nginx.conf")
    with open(path, "w") as file:
        file.write("user root;" if os.geteuid() == 0 else "")
        file.write(NGINX.format(work=os.path.abspath(work)))
    return subprocess.Popen(["nginx", "-c", path, "-p", os.path.abspath(work), "-e", os.path.join(os.path.abspath(work), "nginx.log")])


def lines(*words):
    result = subprocess.run(words, capture_output=True, text=True, timeout=900)
    if result.returncode:
        print(" ".join(words), "failed:", result.stderr[-400:], file=sys.stderr)
    return [line for line in result.stdout.splitlines() if line.startswith("{")]


def run(*words, group="pipeline"):
    for line in lines(*words):
        print(line.replace('"group": "pipeline"', f'"group": "{group}"'), flush=True)


def run_median(rounds):
    """Of the runs of one program, the one in the middle by processor time."""
    if rounds:
        print(sorted(rounds, key=lambda line: json.loads(line)["cpu_ms"])[len(rounds) // 2], flush=True)


def animation(path):
    """A clip of 3 seconds, 25 frames a second, drawn: a wheel that turns in front of a gradient."""
    from PIL import Image, ImageDraw
    ground = Image.radial_gradient("L").resize((480, 270)).convert("RGB")
    frames = []
    for index in range(75):
        frame = ground.copy()
        ImageDraw.Draw(frame).pieslice((140, 35, 340, 235), index * 9.6, index * 9.6 + 120, fill=(220, 80 + index, 30))
        frames.append(frame)
    frames[0].save(path + ".gif", save_all=True, append_images=frames[1:], duration=40, loop=0)
    frames[0].save(path + ".webp", save_all=True, append_images=frames[1:], duration=40, loop=0, quality=80)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("photos")
    parser.add_argument("work")
    parser.add_argument("--program", default=os.path.join(HERE, "../../.build-benchmarks/release/PipelineBenchmark"))
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--quick", action="store_true", help="growth to 1,000 pictures instead of 10,000, 10 s of gallery")
    options = parser.parse_args()
    work, program, count = options.work, options.program, str(options.count)
    large, small = os.path.join(work, "large"), os.path.join(work, "small")
    subprocess.run([sys.executable, os.path.join(HERE, "pictures.py"), options.photos, large, count], check=True)
    subprocess.run([sys.executable, os.path.join(HERE, "pictures.py"), options.photos, small, "38", "--small"], check=True)
    server, fresh = serve(work), ""
    try:
        for port in (18611, 18612):
            for _ in range(100):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/0.jpg").read()
                    break
                except OSError:
                    time.sleep(0.1)
        base, little = "http://127.0.0.1:18611", "http://127.0.0.1:18612"
        # Nothing is removed before the end, and every run has folders of its own: ext4 passes over inodes that were freed in the last
        # minutes, and looks at each of them, so that whoever makes files after a large removal pays for it.
        fresh = tempfile.mkdtemp(prefix="caches-", dir=work)
        names = iter(range(1000))

        def folder():
            return os.path.join(fresh, str(next(names)))

        python, gnome = [sys.executable, os.path.join(HERE, "load_python.py")], ["/usr/bin/python3", os.path.join(HERE, "load_gnome.py")]
        qt = [sys.executable, os.path.join(HERE, "load_qt.py")]

        def programs(case, caches):
            return [[program, "load", case, base, count, count, "16", caches[0]], [*python, case, base, count, caches[1]],
                    [*qt, case, base, count, caches[2]], [*gnome, case, base, count, caches[3]]]

        # Everybody takes turns.
        alone, cold = [], [[], [], [], []]
        for _ in range(3):
            alone += lines(program, "decode", large, count)
            caches = [folder() for _ in range(4)]
            for results, words in zip(cold, programs("cold", caches)):
                results += lines(*words)
        for results in [alone, *cold]:
            run_median(results)
        for case in ("disk", "memory"):
            for words in programs(case, caches):
                run(*words)
        distinct = "38"
        run(program, "gallery", little, distinct, "600" if options.quick else "10000", folder())
        for total in ("10", "100", "1000") + (() if options.quick else ("10000",)):
            run(program, "load", "cold", little, total, distinct, "16", folder(), group="growth")
        for at_once in ("1", "4", "64", "256"):
            run(program, "load", "cold", little, "512", distinct, at_once, folder(), group="growth")
        clip = os.path.join(work, "wheel")
        animation(clip)
        for kind in (".gif", ".webp"):
            run(program, "animation", clip + kind, "6")
            run(sys.executable, os.path.join(HERE, "load_qt.py"), "animation", clip + kind, "6")
    finally:
        server.terminate()
        shutil.rmtree(fresh, ignore_errors=True)


main()
