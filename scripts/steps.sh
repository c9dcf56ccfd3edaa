# Sourced by the other scripts: goes to the top of the checkout and offers `step` and `finish`.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Swift's crash reporter can hang for minutes where no terminal is attached.
export SWIFT_BACKTRACE=enable=no

# What the command is built with. A library's user does not need the last two, which fetch other packages.
command_traits=default,CommandLine,Server

script_started=$SECONDS
step_started=$SECONDS
step_name=

end_step() {
    if [ -n "$step_name" ]; then echo "--- $step_name: done in $((SECONDS - step_started)) s"; fi
    step_name=
}

# step NAME [HOW LONG IT MAY TAKE]
step() {
    end_step
    step_name=$1
    step_started=$SECONDS
    echo
    echo "=== $1${2:+ ($2)}"
}

finish() {
    end_step
    echo
    echo "$1 ($((SECONDS - script_started)) s in all)"
}

trap 'code=$?; if [ $code -ne 0 ]; then echo "FAILED${step_name:+ in: $step_name} (exit code $code)" >&2; fi' EXIT
