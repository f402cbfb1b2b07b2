package dev.kudu4j.tools.index;

import dev.kudu4j.client.AsyncKuduClient;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduIndexComparison;
import dev.kudu4j.client.KuduIndexVerification;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.ReplicaVerification;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.cell.PastTime;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Pause;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.Terminal;
import dev.kudu4j.util.HybridTimeUtil;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Compares the indexes of a table with its rows: local ones in all replicas, global ones at one
 * snapshot.
 */
@Command(
    name = "verify",
    description = {
      "Compares the indexes of a table with the rows, while the table is in use.",
      "Of a local index, each file of all replicas is compared; indexes of rows in memory are not."
          + " A global index is compared at one snapshot; of a unique one, whether the value of each"
          + " row is claimed for it.",
      "kudu index rebuild repairs an index."
    },
    footer = {
      "  kudu index verify orders",
      "  kudu index verify orders by_customer",
      "  kudu index verify orders by_date --as_of=10m",
      "",
      "Exit code: 0 all indexes are equal to the rows; 1 there are differences, or a replica or an"
          + " index could not be verified, for example because it is still being built."
    })
final class VerifyIndexVerb extends ClusterVerb {
  private static final int DIFFERENT = 1;
  private static final long PAUSE_MILLIS = 200;
  private static final double MILLIS_PER_SECOND = 1000;

  @Parameters(
      paramLabel = "[MASTERS] TABLE [INDEX]",
      arity = "1..3",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--as_of",
      paramLabel = "TIME",
      description = {
        "Compares global indexes as of this time: 2026-11-21T09:30:00Z, or 10m for ten minutes ago"
            + " (s m h d); default: now."
      })
  private String asOf;

  /** The positions of the replicas whose result has been printed. */
  private final Set<Integer> printed = new HashSet<>();

  @Override
  public Integer call() throws IOException {
    Target target = Target.withOptional(arguments, "TABLE", "INDEX");
    Optional<String> index = target.optional(1);
    try (KuduClient client = cluster().client(target.masters())) {
      KuduTable table = client.openTable(target.argument(0));
      List<KuduIndex> indexes = TableIndexes.of(table, index);
      if (indexes.isEmpty()) {
        say("Table " + table.getName() + " has no indexes");
        return DONE;
      }
      List<KuduIndex> global =
          indexes.stream().filter(one -> one.isGlobal() || one.isUniqueGlobal()).toList();
      if (global.isEmpty() && asOf != null) {
        throw KuduException.invalidArgument(
            "--as_of is for global indexes; local ones are compared as they are now");
      }
      long snapshot = snapshot();
      boolean sound = global.size() == indexes.size() || verifyLocal(table, index);
      return compare(table, global, snapshot) && sound ? DONE : DIFFERENT;
    }
  }

  private long snapshot() {
    return asOf == null
        ? AsyncKuduClient.NO_TIMESTAMP
        : HybridTimeUtil.physicalAndLogicalToHTTimestamp(PastTime.micros("--as_of", asOf), 0);
  }

  /** Compares global indexes; returns whether all are equal to the table. */
  private boolean compare(KuduTable table, List<KuduIndex> global, long snapshot) {
    boolean equal = true;
    for (KuduIndex index : global) {
      long started = System.nanoTime();
      try {
        KuduIndexComparison comparison = table.compareIndex(index.getName(), snapshot);
        ComparisonText.lines(comparison, System.nanoTime() - started).forEach(this::say);
        equal &= comparison.isEqual();
      } catch (dev.kudu4j.client.KuduException e) {
        say("Index " + index.getName() + " not compared: " + e.getMessage());
        equal = false;
      }
    }
    return equal;
  }

  /**
   * Compares all local indexes of the table, or the named one.
   *
   * @return whether all are sound
   */
  private boolean verifyLocal(KuduTable table, Optional<String> index) throws IOException {
    KuduIndexVerification verification =
        index.isPresent() ? table.verifyIndexes(index.get()) : table.verifyIndexes();
    while (!verification.poll()) {
      show(verification.replicas());
      Pause.millis(PAUSE_MILLIS);
    }
    show(verification.replicas());
    return verdict(verification.replicas());
  }

  private void show(List<ReplicaVerification> replicas) {
    clearProgress();
    for (int i = 0; i < replicas.size(); i++) {
      if (replicas.get(i).ended() && printed.add(i)) {
        printResult(replicas.get(i));
      }
    }
    showProgress(replicas);
  }

  private void printResult(ReplicaVerification replica) {
    say(
        String.format(
            Locale.ROOT,
            "Tablet %s on %s: %s",
            replica.tabletId(),
            replica.server(),
            replica.failure().map(failure -> "failed: " + failure).orElseGet(() -> of(replica))));
    for (ReplicaVerification.Difference difference : replica.differences()) {
      String row =
          difference.ordinal().isPresent() ? ", row " + difference.ordinal().getAsLong() : "";
      say(
          "  index "
              + difference.index()
              + ", rowset "
              + difference.rowSetId()
              + row
              + ": "
              + difference.text());
    }
    long more = replica.differenceCount() - replica.differences().size();
    if (more > 0) {
      say("  and " + more + " more");
    }
  }

  private static String of(ReplicaVerification replica) {
    return String.format(
        Locale.ROOT,
        "%d index files with %d entries compared, %d differences%s; %.1f s",
        replica.comparedFiles(),
        replica.comparedEntries(),
        replica.differenceCount(),
        replica.missingFiles() == 0
            ? ""
            : "; " + replica.missingFiles() + " files are not built yet",
        replica.millis() / MILLIS_PER_SECOND);
  }

  private void showProgress(List<ReplicaVerification> replicas) {
    if (Terminal.watchesErrors()) {
      long done = replicas.stream().filter(ReplicaVerification::ended).count();
      String running =
          replicas.stream()
              .filter(replica -> !replica.ended() && replica.files() > 0)
              .findFirst()
              .map(replica -> "; tablet " + replica.tabletId() + " " + replica.percent() + " %")
              .orElse("");
      err().printf("\r%d of %d replicas done%s", done, replicas.size(), running);
      err().flush();
    }
  }

  private void clearProgress() {
    if (Terminal.watchesErrors()) {
      err().printf("\r%-90s\r", "");
      err().flush();
    }
  }

  private boolean verdict(List<ReplicaVerification> replicas) {
    clearProgress();
    long failed = replicas.stream().filter(replica -> replica.failure().isPresent()).count();
    long different = replicas.stream().filter(replica -> replica.differenceCount() > 0).count();
    say(
        String.format(
            Locale.ROOT,
            "%d replicas verified, %d of them with differences; %d failed",
            replicas.size() - failed,
            different,
            failed));
    return replicas.stream().allMatch(ReplicaVerification::isSound);
  }
}
