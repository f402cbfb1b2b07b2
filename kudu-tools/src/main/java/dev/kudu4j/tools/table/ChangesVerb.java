package dev.kudu4j.tools.table;

import dev.kudu4j.client.KuduChange;
import dev.kudu4j.client.KuduChangeFeed;
import dev.kudu4j.client.KuduChangeFeedBuilder;
import dev.kudu4j.client.KuduChangePosition;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.cell.PastTime;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.phrase.Condition;
import dev.kudu4j.util.HybridTimeUtil;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the changes of a table's rows. */
@Command(
    name = "changes",
    description = {
      "Prints the changes of a table's rows in the order of their times, each with the row before"
          + " and after it. The position behind the last one goes to stderr; --from takes it."
    },
    footer = {
      "  kudu table changes flights                              (all that is still known, up to now)",
      "  kudu table changes flights --from=10m",
      "  kudu table changes flights --follow --format=json",
      "  kudu table changes flights --follow --format=debezium --position_file=flights.position"
    })
final class ChangesVerb extends ClusterVerb {
  private static final Duration POLL = Duration.ofSeconds(1);

  @Parameters(
      paramLabel = "[MASTERS] TABLE",
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--from",
      paramLabel = "WHERE",
      description = {
        "Begins with the changes after this: beginning, now, a time as 2026-11-21T09:30:00Z, 10m for"
            + " ten minutes ago (s m h d), or a position. Default: beginning, or now with --follow."
      })
  private String from;

  @Option(
      names = "--follow",
      description = "Waits for more changes, for ever; otherwise ends with those up to now.")
  private boolean follow;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "COLUMN[,COLUMN]",
      description = "Only these columns and the key; other changes are left out. Default: all.")
  private List<String> columns;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ChangeFormat format;

  @Option(
      names = "--position_file",
      paramLabel = "FILE",
      description = {
        "Begins at the position in this file, if it exists, and keeps the position there. A command"
            + " that was killed may print its last changes again."
      })
  private Path positionFile;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE");
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      calls.table(target.argument(0));
      try (KuduClient client = cluster().client(target.masters())) {
        KuduTable table = client.openTable(target.argument(0));
        print(open(client, table), table.getName());
      }
    }
    return DONE;
  }

  private KuduChangeFeed open(KuduClient client, KuduTable table) throws IOException {
    KuduChangeFeedBuilder feed = table.changes();
    if (columns != null) {
      feed.columns(
          columns.stream()
              .map(name -> Condition.column(table.getSchema(), name.strip()).getName())
              .toList());
    }
    begin(feed);
    if (!follow) {
      feed.until(client.newReadSession(Duration.ZERO).advance(table));
    }
    return feed.build();
  }

  private void begin(KuduChangeFeedBuilder feed) throws IOException {
    if (positionFile != null && Files.exists(positionFile)) {
      if (from != null) {
        throw KuduException.invalidArgument(
            "--from=%s: the file %s has a position; delete it, or omit --from", from, positionFile);
      }
      feed.from(position(Files.readString(positionFile), positionFile.toString()));
      return;
    }
    String where = from == null ? (follow ? "now" : "beginning") : from.strip();
    if (where.equals("beginning")) {
      feed.fromBeginning();
    } else if (PastTime.isTime(where)) {
      long micros = PastTime.micros("--from", where);
      feed.fromSnapshot(HybridTimeUtil.physicalAndLogicalToHTTimestamp(micros, 0));
    } else if (!where.equals("now")) {
      feed.from(position(where, "--from=" + where));
    }
  }

  private static KuduChangePosition position(String text, String what) {
    try {
      return KuduChangePosition.parse(text);
    } catch (IllegalArgumentException e) {
      throw KuduException.invalidArgument(
          "%s: must be beginning, now, a time, a duration such as 10m, or a position", what);
    }
  }

  private void print(KuduChangeFeed feed, String table) throws IOException {
    PrintWriter lines = new PrintWriter(out(), false); // flushes batches, not lines
    long count = 0;
    boolean isRead = true;
    try {
      while (!feed.isOver() && isRead) {
        List<KuduChange> changes = poll(feed);
        for (KuduChange change : changes) {
          lines.println(format.line(change, feed.getSchema(), table));
        }
        lines.flush();
        isRead = !lines.checkError() && !System.out.checkError(); // else the pipe was closed
        if (isRead) {
          count += changes.size();
          keep(feed.position());
        }
      }
    } finally {
      err().println(String.format("%,d changes; position %s", count, feed.position().serialize()));
      err().flush();
    }
  }

  /** Whoever follows for ever survives servers that are away for a while. */
  private List<KuduChange> poll(KuduChangeFeed feed) throws IOException {
    try {
      return feed.poll(POLL);
    } catch (dev.kudu4j.client.KuduException e) {
      boolean passes =
          e.getStatus().isTimedOut()
              || e.getStatus().isServiceUnavailable()
              || e.getStatus().isNetworkError();
      if (!follow || !passes) {
        throw e;
      }
      err().println("kudu: " + e.getMessage() + "; tries again");
      err().flush();
      return List.of();
    }
  }

  private void keep(KuduChangePosition position) throws IOException {
    if (positionFile == null) {
      return;
    }
    Path written = positionFile.resolveSibling(positionFile.getFileName() + ".new");
    Files.writeString(written, position.serialize());
    Files.move(written, positionFile, StandardCopyOption.ATOMIC_MOVE);
  }
}
