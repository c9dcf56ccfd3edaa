#!/usr/bin/env bash
# Names the public symbols that are gone since a tag, because programs that use them no longer compile. Needs no build: it compares
# Documentation/public-symbols.txt of the tag with that of this checkout (scripts/docs.sh keeps the list true).
#
#     scripts/api.sh [--next VERSION] [TAG]      TAG: the last one by default
#
# Ends with 0 whatever is gone, unless --next names a version that may not lose symbols: from 1.0.0 on another than the next major one,
# before that another than the next minor one. A symbol that changed its types keeps its name, and is not seen here.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

next= tag=
while [ $# -gt 0 ]; do
    case $1 in
    --next) next=${2:?--next needs a version.} && shift 2 ;;
    -*)
        sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        case $1 in -h | --help) exit 0 ;; *) exit 64 ;; esac
        ;;
    *) tag=$1 && shift ;;
    esac
done

list=Documentation/public-symbols.txt
# A pre-release is older than its release.
if [ -z "$tag" ]; then tag=$(git -c versionsort.suffix=- tag --list '[0-9]*.[0-9]*.[0-9]*' --sort=-version:refname | head -1); fi
if [ -z "$tag" ]; then
    echo "No version is tagged, so there is nothing to compare with."
    exit 0
fi

step "Public symbols since $tag" "a second"
before=$(git show "$tag:$list" | LC_ALL=C sort)
now=$(LC_ALL=C sort "$list")
gone=$(LC_ALL=C comm -23 <(echo "$before") <(echo "$now"))
new=$(LC_ALL=C comm -13 <(echo "$before") <(echo "$now"))
count() { grep -c . <<<"$1" || true; }
if [ -n "$gone" ]; then sed 's/^/gone: /' <<<"$gone"; fi
echo "$(count "$gone") symbols are gone, and $(count "$new") are new."
if [ -z "$gone" ]; then finish "Programs for $tag find every name." && exit 0; fi

IFS=. read -r major minor _ <<<"${tag%%-*}"
if [ "$major" -gt 0 ]; then needed=$((major + 1)).0.0; else needed=0.$((minor + 1)).0; fi
if [ -n "$next" ] && dpkg --compare-versions "${next%%-*}" lt "$needed"; then
    echo "Version $next may lose no symbol: bring them back, deprecated, or release $needed." >&2
    exit 1
fi
finish "The next version is $needed or later: say in CHANGELOG.md what to write instead."
