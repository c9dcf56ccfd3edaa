# Sourced by the scripts that run commands in another Debian below this checkout; needs root.

# in_root ROOT SHOWN COMMAND…: runs a command in the system in the folder ROOT, with processes of its own. The file SHOWN has a line
# "path there", tab, "path here" for each folder that is shown to it. With the last process of the name space all mounts go.
in_root() {
    unshare --mount --pid --fork --kill-child bash -euc '
        root=$1 shown=$2 && shift 2
        # A mount of its own, so that another system can be run from there.
        mount --bind "$root" "$root"
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount -t tmpfs -o mode=755 dev "$root/dev"
        for node in null zero full random urandom tty; do
            : >"$root/dev/$node"
            mount --bind "/dev/$node" "$root/dev/$node"
        done
        mkdir "$root/dev/pts" "$root/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
        mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
        ln -s pts/ptmx "$root/dev/ptmx"
        ln -s /proc/self/fd "$root/dev/fd"
        ln -s fd/0 "$root/dev/stdin" && ln -s fd/1 "$root/dev/stdout" && ln -s fd/2 "$root/dev/stderr"
        while IFS="	" read -r there here; do
            mkdir -p "$root$there"
            mount --bind "$here" "$root$there"
        done <"$shown"
        exec chroot "$root" "$@"
    ' in_root "$@"
}
