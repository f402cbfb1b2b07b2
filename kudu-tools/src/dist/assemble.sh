#!/usr/bin/env bash
# Assembles a directory to run from, dist/NAME-VERSION-HASH/{bin,lib}, and makes dist/NAME.current name it. Maven calls this
# when it packages kudu-tools or kudu-benchmarks: assemble.sh NAME VERSION JAR FILE,
# where FILE holds the class path of JAR.
#
# A directory appears in full or not at all, and its jars never change: processes started from it keep it. The hash is that of
# its content, so a build that changes nothing makes no new directory.
set -euo pipefail
name=$1 version=$2
IFS=: read -ra jars <"$4" || true
jars+=("$3")
root=$(cd "${BASH_SOURCE[0]%/*}/../../.." && pwd -P)
dist=$root/dist
files=("$root/bin/kudu" "${jars[@]}")

for file in "${files[@]}"; do
  [ -f "$file" ] || { echo "assemble.sh: $file is no file; package this module together with those that it needs (-am)" >&2; exit 1; }
done
digest() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }
hash=$({ printf '%s\n' "${files[@]##*/}"; cat "${files[@]}"; } | digest)
directory=$name-$version-${hash:0:12}

mkdir -p "$dist"
if [ ! -d "$dist/$directory" ]; then
  new=$dist/.new-$directory-$$
  trap 'rm -rf "$new"' EXIT
  mkdir -p "$new/bin" "$new/lib"
  cp "$root/bin/kudu" "$new/bin/"
  cp "${jars[@]}" "$new/lib/"
  mv "$new" "$dist/$directory"
fi

current=
[ ! -r "$dist/$name.current" ] || read -r current <"$dist/$name.current" || true
if [ "$current" != "$directory" ]; then
  [ ! -d "$dist/$current" ] || touch "$dist/$current" # the time when it was replaced
  printf '%s\n' "$directory" >"$dist/.$name.current-$$"
  mv -f "$dist/.$name.current-$$" "$dist/$name.current"
fi

# Removes what was replaced ten minutes ago or more and is on no process's command line; keeps all where that is not known.
[ -r /proc/self/cmdline ] || exit 0
find "$dist" -maxdepth 1 -type d \( -name "$name-[0-9]*" -o -name ".new-$name-[0-9]*" \) ! -name "$directory" -mmin +10 |
  while IFS= read -r old; do
    grep -qaFf <(printf '/%s/\n' "${old##*/}") /proc/[0-9]*/cmdline 2>/dev/null || rm -rf "$old"
  done
