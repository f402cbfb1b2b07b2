#!/usr/bin/env bash
# Runs all tests in several passes and ends with a table of results: nightly.sh MAVEN [OPTION ...]. ./dev nightly calls it.
#
# A failure ends neither a pass nor the night; the exit code says at the end whether there was one. Logs: target/nightly.
set -uo pipefail
cd "${BASH_SOURCE[0]%/*}/../../.." || exit 1
maven=$1; shift
reports=$PWD/target/nightly
rm -rf "$reports"; mkdir -p "$reports"
table=$reports/table
: >"$table"
failed=0

# A line of the table for each module and kind of test: pass, module, suite, tests, failures, seconds.
count() {
  local pass=$1 kind directory module
  for kind in surefire failsafe; do
    for directory in kudu-*/target/$kind-reports; do
      compgen -G "$directory/TEST-*.xml" >/dev/null || continue
      module=${directory%%/*}
      awk -v pass="$pass" -v module="$module" -v suite="$([ $kind = surefire ] && echo unit || echo integration)" '
        function attribute(name) { return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : 0 }
        /<testsuite / {
          bad = attribute("failures") + attribute("errors")
          tests += attribute("tests"); failures += bad; time = attribute("time"); gsub(",", "", time); seconds += time
          if (bad) names = names " " attribute("name")
        }
        END { printf "%s\t%s\t%s\t%d\t%d\t%.0f\t%s\n", pass, module, suite, tests, failures, seconds, names }
      ' "$directory"/TEST-*.xml >>"$table"
    done
  done
}

# One run of Maven: its name, then its words.
pass() {
  local name=$1 log="$reports/${1// /-}.log" before verdict
  shift
  rm -rf kudu-*/target/{surefire,failsafe}-reports
  echo "nightly: $name, log in $log"
  "$maven" -B -ntp -fae -Dmaven.test.failure.ignore=true "$@" 2>&1 | tee "$log"
  verdict=${PIPESTATUS[0]}
  before=$(wc -l <"$table")
  count "$name"
  # A JVM that crashes, or a module that does not compile, leaves no report; but Maven writes an error.
  if [ "$verdict" -ne 0 ] || grep -q '^\[ERROR\]' "$log"; then failed=1; fi
  if [ "$verdict" -ne 0 ]; then printf '%s\t%s\t%s\t0\t1\t0\t%s\n' "$name" - build "Maven ended with $verdict: $log" >>"$table"; fi
  if [ "$(wc -l <"$table")" -eq "$before" ]; then
    failed=1
    printf '%s\t%s\t%s\t0\t0\t0\t%s\n' "$name" - none "no test ran: $log" >>"$table"
  fi
}

# A JDK 25: JAVA25_HOME, or where systems and SDKMAN put it.
find_java25() {
  local home
  for home in "${JAVA25_HOME:-}" /usr/lib/jvm/*25* /opt/java/*25* "$HOME"/.sdkman/candidates/java/25* /Library/Java/JavaVirtualMachines/*25*/Contents/Home; do
    if [ -x "$home/bin/java" ] && [ "$(sed -n 's/^JAVA_VERSION="\(25\)[".].*/\1/p' "$home/release" 2>/dev/null)" = 25 ]; then
      printf %s "$home"
      return
    fi
  done
}

# Spark's Thrift server is in no Maven repository, but in each distribution of Spark.
spark=()
if [ -x "${SPARK_HOME:-}/bin/spark-submit" ]; then
  spark=("-Dspark.home=$SPARK_HOME")
else
  echo "nightly: no distribution of Spark, so nothing ran over JDBC; SPARK_HOME names one" >&2
  printf '%s\t%s\t%s\t0\t0\t0\t%s\n' JDBC - none "not run: SPARK_HOME names no distribution of Spark" >>"$table"
fi
# With both compilers of the JVM, as servers run, and at full size.
pass "all tests" verify -DlintTests -Dtest.excludedGroups=none -Dtest.jit=-XX:+UseParallelGC "-Dagreement.seed=$RANDOM" \
  -Dconcurrency.programs=24 -Dtablet.concurrency.requests=1500 -Dtpch.scale=0.1 -Dtpch.all=true -Dfaults.rows=1000000 -Dfaults.kills=10 -Dfaults.minutes=30 -Dfaults.transferClients=64 -Dindexes.kills=50 -Dglobals.kills=50 -Dtablet.history.operations=2000000 \
  -Dflights.step=1 -Dspark.predicates=400 -Dspark.aggregates=200 -Dspark.orders=200 -Dspark.histories=64 -Dfollow.kills=20 -Dfollow.stops=60 -Dspark.codegen=true "${spark[@]}" "$@"
# The connector once more, on the version of Spark before.
pass "Spark 4.1" test -pl kudu-spark -am -Dspark.version=4.1.3 '-Dtest=dev/kudu4j/spark/**/*Test' -Dsurefire.failIfNoSpecifiedTests=false "$@"
java25=$(find_java25)
if [ -n "$java25" ]; then
  # Maven and the compiler stay on their JDK; tests, and the servers that these start, run on the other.
  pass "JDK 25" verify "-Djvm=$java25/bin/java" "$@"
else
  echo "nightly: no JDK 25 found, so nothing ran on it; JAVA25_HOME names one" >&2
  printf '%s\t%s\t%s\t0\t0\t0\t%s\n' "JDK 25" - none "not run: no JDK 25 found, JAVA25_HOME names one" >>"$table"
fi

echo
{
  printf 'pass\tmodule\tsuite\ttests\tfailures\tseconds\tfailed\n'
  sort -s -t $'\t' -k1,1 "$table"
} | awk -F '\t' '
  { printf "%-10s %-16s %-12s %7s %9s %8s  %s\n", $1, $2, $3, $4, $5, $6, $7 }
  NR > 1 { tests += $4; failures += $5; seconds += $6 }
  END { printf "%-10s %-16s %-12s %7d %9d %8d\n", "sum", "", "", tests, failures, seconds; exit failures > 0 }
' || failed=1
[ "$failed" -eq 0 ] && echo "nightly: all passed" || echo "nightly: there were failures; logs in $reports" >&2
exit "$failed"
