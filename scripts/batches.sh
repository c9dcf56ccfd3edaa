#!/usr/bin/env bash
# Runs the lines of Documentation/batches over many images, kills a process of each with SIGKILL in the middle, and checks that no image is lost and
# none is done twice.
#
#     scripts/batches.sh [--full | --count N] [PART…]
#
# 2,000 images; --full: 100,000. The parts are parallel, slurm, dask and spark; without arguments all run. GANNET=PROGRAM uses that gannet instead of building one.
# Python packages go into .venv-batches. About 2 minutes, and 10 to install and build the first time; --full about an hour on 2 cores.
count=2000
parts=()
while [ $# -gt 0 ]; do
    case $1 in
        --full) count=100000 ;;
        --count) count=$2 && shift ;;
        parallel | slurm | dask | spark) parts+=("$1") ;;
        *) sed -n '2,9s/^# \{0,1\}//p' "$0" && exit 64 ;;
    esac
    shift
done
if [ ${#parts[@]} -eq 0 ]; then parts=(parallel slurm dask spark); fi
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"
here=$PWD

step "Packages" "nothing or up to 5 minutes"
scripts/setup.sh --list scripts/batches-packages.txt
venv=$here/.venv-batches
if ! cmp -s scripts/batches/requirements.txt "$venv/requirements.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q -r scripts/batches/requirements.txt
    cp scripts/batches/requirements.txt "$venv/"
fi

if [ -z "${GANNET:-}" ]; then
    step "Building gannet" "about 5 minutes the first time"
    swift build -c release --traits "$command_traits" --product gannet
    GANNET=$(swift build -c release --show-bin-path)/gannet
fi
GANNET=$(realpath "$GANNET")
export GANNET

work=$(mktemp -d)
trap 'code=$?; rm -rf "$work"; if [ $code -ne 0 ]; then echo "FAILED in: $step_name (exit code $code)" >&2; fi' EXIT
# `gannet` of the pages, which kills one of its runs. The programs' own python is that of the packages.
PATH=$here/scripts/batches:$venv/bin:$PATH
export HOME=$work/home
mkdir "$HOME"

step "$count images" "seconds; 1 minute for 100,000"
scripts/batches/images.py "$work" "$count"

# block PAGE N: the page's N-th block of code.
block() { awk -v wanted="$2" '/^```/ { inside = !inside; if (inside) number += 1; next } inside && number == wanted' "$here/Documentation/batches/$1"; }

# begin NAME: a folder with the sources, as the page's reader has it.
begin() {
    cd "$work"
    mkdir "$1"
    cd "$1"
    ln -s ../images ../sources.txt .
    mkdir ledger
    export BATCH_LEDGER=$PWD/ledger BATCH_KILL=$PWD/killed
}

# The results of one pipe of 4 KiB, and a few more, may be lost with a killed process.
check() { "$venv/bin/python" "$here/scripts/batches/check.py" "$count" out ledger "$@"; }

for part in "${parts[@]}"; do
    case $part in
        parallel)
            step "GNU parallel, a process killed" "1 minute"
            begin parallel
            block parallel-and-slurm.md 1 >run.sh
            sh run.sh
            # The ninth column is the command, the seventh the exit status of its last attempt.
            awk 'NR > 1 && $7 != 0 { exit 1 }' jobs.log
            check 40 results/*.jsonl
            summary=$(BATCH_KILL='' sh -c "$(block parallel-and-slurm.md 3)")
            echo "$summary"
            [ "$summary" = "0 done, $count skipped, 0 failed." ]
            ;;
        slurm)
            step "The script for Slurm, a task killed" "1 minute"
            begin slurm
            block parallel-and-slurm.md 2 >thumbnails.slurm
            restarts=0
            for task in 1 2 3 4 5 6 7 8; do
                until SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=2 sh thumbnails.slurm; do
                    restarts=$((restarts + 1))
                    [ $restarts -le 1 ]
                done
            done
            [ $restarts -eq 1 ]
            check 40 results/*.jsonl
            ;;
        dask)
            step "Dask, a gannet and a worker killed" "1 minute"
            begin dask
            block dask.md 1 >thumbnails_dask.py
            PYTHONPATH=$PWD python "$here/scripts/batches/kill-dask-worker.py" thumbnails_dask.py $((count / 3)) 2>dask.log | tee summary || { tail -n 30 dask.log && exit 1; }
            [ "$(cat summary)" = "$count results, 0 failed" ]
            check 80
            ;;
        spark)
            step "Spark, a gannet killed" "1 minute"
            begin spark
            block spark.md 1 >thumbnails_spark.py
            block spark.md 2 >run.sh
            SPARK_LOCAL_IP=127.0.0.1 sh run.sh 2>spark.log | tee summary || { tail -n 30 spark.log && exit 1; }
            [ "$(cat summary)" = "$count results, 0 failed" ]
            check 40 results/part-*
            ;;
    esac
    [ -d "$BATCH_KILL" ]
    cd "$work"
    rm -rf "$part"
    cd "$here"
done

finish "$count images: nothing lost, nothing done twice (${parts[*]})."
