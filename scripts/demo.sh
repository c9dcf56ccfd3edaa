#!/usr/bin/env bash
# The main job of Gannet on real photographs, on this machine alone: installs what is missing (the libraries, and Debian's
# wallpaper packages for the photographs), builds `gannet` and runs `gannet demo`. Arguments go to `gannet demo`.
#
#     scripts/demo.sh [--pictures DIR] [--out DIR]
#
# The first run takes about 5 minutes on 2 cores, most of it for compiling; later ones seconds.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"
from=$OLDPWD

own_pictures=no
for argument in "$@"; do
    case $argument in --pictures | --pictures=* | --list | --list=* | --help | -h) own_pictures=yes ;; esac
done

step "Packages" "nothing or up to 5 minutes, 160 MB of it photographs"
if [ $own_pictures = yes ]; then
    scripts/setup.sh --command
else
    scripts/setup.sh --command --list scripts/demo-packages.txt
fi

step "Building gannet" "about 5 minutes the first time"
# Without the service, which would have other packages fetched and built.
swift build -c release --traits default,CommandLine --product gannet
gannet="$(swift build -c release --show-bin-path)/gannet"

step "gannet demo" "seconds"
top=$PWD
cd "$from"
if [ $own_pictures = yes ]; then
    "$gannet" demo "$@"
else
    "$gannet" demo --list "$top/scripts/demo-pictures.txt" "$@"
fi
finish "The demo is done."
