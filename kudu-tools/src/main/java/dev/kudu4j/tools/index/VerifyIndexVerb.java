package dev.kudu4j.tools.index;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduIndexVerification;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.ReplicaVerification;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Pause;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.Terminal;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Compares the indexes of a table with its rows, in all replicas. */
@Command(
    name = "verify",
    description = {
      "Compares each index file of all replicas of a table with the rows, while the table is in"
          + " use.",
      "Indexes of rows in memory are not compared. kudu index rebuild repairs an index."
    },
    footer = {
      "  kudu index verify orders",
      "  kudu index verify orders by_customer",
      "",
      "Exit code: 0 all index files are equal to the rows; 1 there are differences, or a replica"
          + " could not be verified."
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

  /** The positions of the replicas whose result has been printed. */
  private final Set<Integer> printed = new HashSet<>();

  @Override
  public Integer call() throws IOException {
    Target target = Target.withOptional(arguments, "TABLE", "INDEX");
    Optional<String> index = target.optional(1);
    try (KuduClient client = cluster().client(target.masters())) {
      KuduTable table = client.openTable(target.argument(0));
      if (TableIndexes.of(table, index).isEmpty()) {
        say("Table " + table.getName() + " has no indexes");
        return DONE;
      }
      KuduIndexVerification verification =
          index.isPresent() ? table.verifyIndexes(index.get()) : table.verifyIndexes();
      while (!verification.poll()) {
        show(verification.replicas());
        Pause.millis(PAUSE_MILLIS);
      }
      show(verification.replicas());
      return verdict(verification.replicas());
    }
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

  private int verdict(List<ReplicaVerification> replicas) {
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
    return replicas.stream().allMatch(ReplicaVerification::isSound) ? DONE : DIFFERENT;
  }
}
