package dev.kudu4j.tools.cluster;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.CompactTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CompactTabletResponsePB;
import dev.kudu4j.common.proto.cluster.CompactTabletResponsePB.SizesPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Pause;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.Names;
import dev.kudu4j.tools.console.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compacts all replicas of a tablet, or of the tablets of tables, and waits for the result. */
@Command(
    name = "compact",
    description = {
      "Flushes and compacts all replicas of a tablet, or of the tablets of tables,"
          + " until compactions have",
      "no further effect. Servers compact gradually in the background; this verb"
          + " compacts everything now."
    },
    footer = {
      "  kudu tablet compact 0123456789abcdef0123456789abcdef",
      "  kudu tablet compact 127.0.0.1:7051 --tables=people,'tpch.*'",
      "  kudu table list --tables=TABLE --list_tablets     (tablets, replicas and leaders)",
      "",
      "Exit code: 0 all replicas are compacted; 1 some are not, with the reasons in the output."
    })
final class CompactVerb extends ClusterVerb {
  private static final int FAILED = 1;
  private static final long PAUSE_MILLIS = 200;
  private static final String ADMIN = "kudu.tserver.TabletServerAdminService";

  @Parameters(
      paramLabel = "[MASTERS] [TABLET]",
      arity = "0..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = {"--tables", "--table"},
      paramLabel = "NAMES",
      split = ",",
      description = "Instead of a tablet: all tablets of these tables; * matches any text.")
  private List<String> tables = new ArrayList<>();

  /** One replica, and the latest response of its server. */
  private static final class Replica {
    private final ServerState server;
    private final String tablet;
    private final String table;
    private boolean begun;
    private boolean ended;
    private boolean failed;

    Replica(ServerState server, String tablet, String table) {
      this.server = server;
      this.tablet = tablet;
      this.table = table;
    }
  }

  @Override
  public Integer call() {
    boolean byTable = !tables.isEmpty();
    Target target = byTable ? Target.of(arguments) : Target.of(arguments, "TABLET");
    Predicate<String> wantedTable = Names.like(tables);
    BiPredicate<String, String> wanted =
        byTable
            ? (tablet, table) -> wantedTable.test(table)
            : (tablet, table) -> tablet.equals(target.argument(0));
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      List<Replica> replicas = find(calls, wanted);
      if (replicas.isEmpty()) {
        throw KuduException.notFound(
            "No server of %s has %s; kudu table list --list_tablets lists tablets",
            target.masters(),
            byTable ? "tablets of " + String.join(", ", tables) : "tablet " + target.argument(0));
      }
      while (replicas.stream().anyMatch(replica -> !replica.ended)) {
        replicas.stream().filter(replica -> !replica.ended).forEach(one -> advance(one, calls));
        showProgress(replicas);
        Pause.millis(PAUSE_MILLIS);
      }
      return verdict(replicas);
    }
  }

  private List<Replica> find(ClusterCalls calls, BiPredicate<String, String> wanted) {
    List<Replica> replicas = new ArrayList<>();
    Map<String, ServerState> servers = ClusterSurvey.tabletServers(calls);
    for (ServerState server : servers.values()) {
      server.replicas().values().stream()
          .filter(status -> wanted.test(status.getTabletId(), status.getTableName()))
          .sorted((a, b) -> a.getTabletId().compareTo(b.getTabletId()))
          .forEach(
              status ->
                  replicas.add(new Replica(server, status.getTabletId(), status.getTableName())));
    }
    if (servers.values().stream().anyMatch(server -> !server.hasAnswered())) {
      addUnreachable(calls, servers, wanted, replicas);
    }
    return replicas;
  }

  /**
   * Adds the replicas that are, according to the master, on servers that do not respond. They count
   * as failed.
   */
  private void addUnreachable(
      ClusterCalls calls,
      Map<String, ServerState> servers,
      BiPredicate<String, String> wanted,
      List<Replica> replicas) {
    Set<String> found = replicas.stream().map(one -> one.table).collect(Collectors.toSet());
    Predicate<String> tablesToAsk = found.isEmpty() ? name -> true : found::contains;
    for (TableState table : ClusterCalls.get(ClusterSurvey.tables(calls, tablesToAsk))) {
      for (TableState.TabletState tablet : table.tablets()) {
        if (wanted.test(tablet.id(), table.name())) {
          tablet.placements().stream()
              .map(placement -> servers.get(placement.server()))
              .filter(server -> server != null && !server.hasAnswered())
              .forEach(
                  server -> {
                    Replica replica = new Replica(server, tablet.id(), table.name());
                    replicas.add(replica);
                    end(replica, server.error());
                  });
        }
      }
    }
  }

  /**
   * Starts the compaction of a replica or, if it was already started, queries its progress. Prints
   * the result once it has ended.
   */
  private void advance(Replica replica, ClusterCalls calls) {
    CompactTabletRequestPB request =
        CompactTabletRequestPB.newBuilder()
            .setDestUuid(ByteString.copyFromUtf8(replica.server.uuid()))
            .setTabletId(ByteString.copyFromUtf8(replica.tablet))
            .setOnlyAsk(replica.begun)
            .build();
    CompactTabletResponsePB answer;
    try {
      answer =
          ClusterCalls.get(
              calls.call(
                  ServerAddress.of(replica.server.address()),
                  ADMIN,
                  "CompactTablet",
                  request,
                  CompactTabletResponsePB.parser()));
    } catch (KuduException e) {
      end(replica, ClusterSurvey.reason(e));
      return;
    }
    replica.begun = true;
    switch (answer.getState()) {
      case WAITING, RUNNING -> {}
      case DONE -> {
        replica.ended = true;
        printResult(replica, sizes(answer));
      }
      case FAILED -> end(replica, StatusWire.fromWire(answer.getFailure()).describe());
      case UNKNOWN -> end(replica, "the response of the server has no state");
    }
  }

  private void end(Replica replica, String failure) {
    replica.ended = true;
    replica.failed = true;
    printResult(replica, "failed: " + failure);
  }

  private void printResult(Replica replica, String how) {
    clearProgress();
    say(
        String.format(
            Locale.ROOT,
            "Tablet %s of %s on %s: %s",
            replica.tablet,
            replica.table,
            replica.server.name(),
            how));
  }

  private static String sizes(CompactTabletResponsePB answer) {
    SizesPB before = answer.getBefore();
    SizesPB now = answer.getNow();
    return String.format(
        Locale.ROOT,
        "%d rowsets, %d delta files, %.1f MB before; %d rowsets, %d delta files, %.1f MB now; %.1f"
            + " s",
        before.getRowsets(),
        before.getDeltaFiles(),
        megabytes(before.getDiskBytes()),
        now.getRowsets(),
        now.getDeltaFiles(),
        megabytes(now.getDiskBytes()),
        answer.getMillis() / 1000.0);
  }

  private static double megabytes(long bytes) {
    return bytes / (double) (1 << 20);
  }

  private void showProgress(List<Replica> replicas) {
    if (Terminal.watchesErrors()) {
      long done = replicas.stream().filter(replica -> replica.ended).count();
      err().printf("\r%d of %d replicas done", done, replicas.size());
      err().flush();
    }
  }

  private void clearProgress() {
    if (Terminal.watchesErrors()) {
      err().printf("\r%-60s\r", "");
      err().flush();
    }
  }

  private int verdict(List<Replica> replicas) {
    clearProgress();
    long failed = replicas.stream().filter(replica -> replica.failed).count();
    say(
        String.format(
            Locale.ROOT, "%d replicas compacted, %d failed", replicas.size() - failed, failed));
    return failed == 0 ? DONE : FAILED;
  }
}
