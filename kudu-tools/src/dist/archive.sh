#!/usr/bin/env bash
# Packs the newest assembled directory: archive.sh DIRECTORY writes DIRECTORY/kudu4j-VERSION.tar.gz and prints its path. It runs
# wherever there is a Java 17, without Maven and without sources. The same content gives the same bytes.
set -euo pipefail
out=$(cd "$1" && pwd -P)
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd -P)
root=$(cd "$here/../../.." && pwd -P)
dist=$root/dist
[ -r "$dist/kudu4j.current" ] || { echo "archive.sh: nothing is assembled in $dist; bin/kudu builds it" >&2; exit 1; }
read -r directory <"$dist/kudu4j.current"
version=${directory%-*}
archive=$out/$version.tar.gz

# Archives of classes belong to one machine's Java and stay behind. Benchmarks fetch the published Apache Kudu, and stay with the sources.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime='2026-11-21 00:00Z' --mode='u+rwX,go+rX,go-w' \
  --transform="s,^,$version/," --exclude='*.jsa*' --exclude='*.making' -cf - \
  -C "$dist/$directory" bin lib -C "$here" Dockerfile -C "$root" LICENSE README.md docs | gzip -n -6 >"$archive.new-$$"
mv -f "$archive.new-$$" "$archive"
printf '%s\n' "$archive"
