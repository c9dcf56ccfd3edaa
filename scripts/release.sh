#!/usr/bin/env bash
# Makes a release: checks that the checkout is ready, dates the section of CHANGELOG.md, commits, tags, and proves the tag with a program in
# an empty folder that depends on it. All of that happens in a clone; this checkout gets the commit and the tag at the end, when they are
# known to work. Nothing is pushed. RELEASING.md says what to do before and after.
#
#     scripts/release.sh VERSION [--skip-tests] [--dry-run]
#
# VERSION is one of Semantic Versioning without a v, as 0.1.0. scripts/test.sh is run unless it passed on this commit before; --skip-tests
# does without. --dry-run leaves this checkout as it is. The tag is signed if git or gpg has a key of yours. Four minutes without the tests.
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

version= run_tests=1 dry_run=0
for argument in "$@"; do
    case $argument in
    --skip-tests) run_tests=0 ;;
    --dry-run) dry_run=1 ;;
    -*)
        sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        case $argument in -h | --help) exit 0 ;; *) exit 64 ;; esac
        ;;
    *) version=$argument ;;
    esac
done
refuse() { echo "$*" >&2 && exit 1; }

# The entries of CHANGELOG.md below the heading Unreleased.
unreleased() { awk '/^## /{is_in = $0 == "## Unreleased"; next} is_in' CHANGELOG.md; }

# Makes of each page what is true from this version on.
write_version() {
    sed -i "s/^## Unreleased\$/## Unreleased\n\n## $version ($(date -u +%Y-%m-%d))/" CHANGELOG.md
    sed -i "s/static let version = \"[^\"]*\"/static let version = \"$version\"/" Sources/GannetCommand/Program.swift
    local from="s/(\.package\(url: \"[^\"]*\", from: )\"[^\"]*\"/\1\"$version\"/"
    sed -i -E "$from; s| *// no version is tagged yet.*||; /^No version is tagged yet/d" README.md Documentation/Installing.md
    if grep -niE 'no version is tagged' README.md Documentation/Installing.md; then refuse "These lines will not be true any more."; fi
    grep -q "version = \"$version\"" Sources/GannetCommand/Program.swift || refuse "Sources/GannetCommand/Program.swift has no version."
    [ -z "$(unreleased | tr -d '[:space:]')" ] || refuse "CHANGELOG.md: entries are left below Unreleased."
}

# A program like that of a newcomer. Its few traits fetch no other package.
write_program() {
    mkdir -p "$1/Sources"
    cat >"$1/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Newcomer",
    dependencies: [.package(url: "file://$2", from: "$version", traits: ["PNG", "WebP"])],
    targets: [.executableTarget(name: "newcomer", dependencies: [.product(name: "Gannet", package: "gannet")], path: "Sources")])
EOF
    cat >"$1/Sources/main.swift" <<'EOF'
import Gannet

for path in CommandLine.arguments.dropFirst() {
    let image = try await ImageManager.shared.image(for: ImageRequest(.file(path), .fit(64, 64)))
    print(image.size)
}
EOF
}

# prove_tag REPOSITORY FOLDER PICTURE: a clone of the repository with the tag, as it lies on a server, is what the program depends on.
prove_tag() {
    local build=(nice swift build --package-path "$2/newcomer" --cache-path "$2/cache")
    git clone --quiet --bare "$1" "$2/gannet.git"
    write_program "$2/newcomer" "$2/gannet.git"
    swift package --package-path "$2/newcomer" --cache-path "$2/cache" resolve
    grep -F "\"version\" : \"$version\"" "$2/newcomer/Package.resolved" || refuse "The package manager chose another version than $version."
    "${build[@]}"
    local size
    size=$(XDG_CACHE_HOME=$2/home "$("${build[@]}" --show-bin-path)/newcomer" "$3")
    echo "The program made a thumbnail of $(basename "$3"): $size"
    [[ $size =~ ^(64×[0-9]+|[0-9]+×64)$ ]] || refuse "That is no thumbnail of 64 pixels."
}

step "Is everything ready for $version?" "seconds"
number='(0|[1-9][0-9]*)' word='(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)'
[[ $version =~ ^$number\.$number\.$number(-$word(\.$word)*)?$ ]] ||
    refuse "${version:-Nothing} is no version of Semantic Versioning, as 0.1.0 or 1.0.0-rc.1."
[ -z "$(git status --porcelain)" ] || { git status --short >&2 && refuse "There are changes that are not committed."; }
branch=$(git symbolic-ref --quiet --short HEAD || true)
[ "$branch" = main ] || refuse "Releases are made on main; this is ${branch:-no branch}."
last=$(git -c versionsort.suffix=- tag --list '[0-9]*.[0-9]*.[0-9]*' --sort=-version:refname | head -1)
# As Debian writes it, because there a pre-release is older than its release.
if [ -n "$last" ] && ! dpkg --compare-versions "${version/-/\~}" gt "${last/-/\~}"; then refuse "$version is not newer than $last."; fi
unreleased | grep -qE '^(- |\| )' || refuse "CHANGELOG.md has no entries below Unreleased."
end_step
echo "Ready; the last version is ${last:-none}."
scripts/api.sh --next "$version"
scripts/repository.py

if [ $run_tests = 1 ]; then
    if [ "$(cat .build/tested 2>/dev/null)" = "$(git rev-parse HEAD)" ]; then
        echo "scripts/test.sh passed on this commit before."
    else
        scripts/test.sh
    fi
fi

step "The release, in a clone" "seconds"
work=$(mktemp -d)
trap 'code=$?; rm -rf "$work"; if [ $code -ne 0 ]; then echo "FAILED${step_name:+ in: $step_name} (exit code $code)" >&2; fi' EXIT
checkout=$PWD
git clone --quiet "$checkout" "$work/clone"
# A clone has none of the settings of this checkout; the name and the key of the tag are among them.
while read -r key value; do git -C "$work/clone" config "$key" "$value"; done \
    < <(git config --local --get-regexp '^(user|gpg|commit|tag)\.' || true)
cd "$work/clone"
write_version
git --no-pager diff --stat
git commit --quiet --all --message "Release $version"
kind=--annotate
me="$(git config user.name) <$(git config user.email)>"
if [ -n "$(git config user.signingkey || true)" ] || gpg --list-secret-keys "=$me" >/dev/null 2>&1; then
    kind=--sign
else
    echo "There is no key to sign with: the tag is annotated only."
fi
{
    printf 'Gannet %s\n\n' "$version"
    awk -v heading="## $version (" '/^## /{is_in = index($0, heading) == 1; next} is_in' CHANGELOG.md | sed '/./,$!d'
} >"$work/notes"
# Headings of the notes begin like comments of git.
git tag $kind --cleanup=verbatim --file "$work/notes" "$version"
if [ $kind = --sign ]; then git verify-tag "$version"; fi
git --no-pager log -1 --format='%h %s%d'

step "A program that depends on $version" "3 minutes"
prove_tag "$work/clone" "$work" "$checkout/Documentation/pictures/markers.png"

cd "$checkout"
if [ $dry_run = 1 ]; then
    finish "$version can be released. Nothing was changed here."
    exit 0
fi
git fetch --quiet "$work/clone" main "refs/tags/$version:refs/tags/$version"
git merge --quiet --ff-only "$version^{commit}"
finish "$version is tagged. To publish it: git push origin main $version"
