package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The result of ksck as text, in the layout of Apache Kudu's tool. */
final class KsckReport {
  private static final int CONCISE_TABLETS = 10;

  private final KsckResult result;
  private final boolean full;
  private final PrintWriter out;

  /**
   * @param full whether to print healthy tablets and all tablets that are not healthy
   */
  KsckReport(KsckResult result, boolean full, PrintWriter out) {
    this.result = result;
    this.full = full;
    this.out = out;
  }

  void print() {
    masters();
    tabletServers();
    versions();
    tablets();
    tables();
    replicaCounts();
    checksums();
    totals();
    verdict();
    out.flush();
  }

  private void title(String text) {
    out.println(text);
  }

  private void list(List<ListColumn> columns, List<List<?>> rows) {
    try (ListPrinter list = ListFormat.pretty.open(columns, out)) {
      rows.forEach(list::row);
    }
    out.println();
  }

  private void masters() {
    title("Master Summary");
    List<List<?>> rows = new ArrayList<>();
    for (ServerState master : result.survey().masters()) {
      rows.add(
          List.of(
              master.uuid().isEmpty() ? "<unknown>" : master.uuid(),
              master.address(),
              master.health(),
              master.role()));
    }
    list(ListColumn.texts("UUID", "Address", "Status", "Role"), rows);
    errors(result.survey().masters());
    CatalogConsensusStates states = CatalogConsensusStates.of(result.survey().masters());
    if (!states.agree()) {
      states.byMaster().forEach((master, text) -> out.println(master.name() + " reports: " + text));
      out.println();
    }
  }

  private void tabletServers() {
    title("Tablet Server Summary");
    List<List<?>> rows = new ArrayList<>();
    for (ServerState server : result.tabletServers()) {
      boolean known = server.hasAnswered();
      rows.add(
          List.of(
              server.uuid(),
              server.address(),
              server.health(),
              server.location().isEmpty() ? "<none>" : server.location(),
              known ? server.replicas().size() : "n/a",
              known ? server.leaderCount() : "n/a"));
    }
    list(
        List.of(
            ListColumn.text("UUID"),
            ListColumn.text("Address"),
            ListColumn.text("Status"),
            ListColumn.text("Location"),
            ListColumn.number("Replicas"),
            ListColumn.number("Tablet Leaders")),
        rows);
    errors(result.tabletServers());
  }

  private void errors(Iterable<ServerState> servers) {
    boolean any = false;
    for (ServerState server : servers) {
      if (!server.isHealthy()) {
        out.println(
            "Error from "
                + server.address()
                + ": "
                + server.error()
                + " ("
                + server.health()
                + ")");
        any = true;
      }
    }
    if (any) {
      out.println();
    }
  }

  private void versions() {
    Map<String, List<String>> byVersion = new TreeMap<>();
    List<ServerState> servers = new ArrayList<>(result.survey().masters());
    servers.addAll(result.tabletServers());
    for (ServerState server : servers) {
      if (!server.version().isEmpty()) {
        byVersion
            .computeIfAbsent(server.version(), version -> new ArrayList<>())
            .add(server.address());
      }
    }
    title("Version Summary");
    List<List<?>> rows = new ArrayList<>();
    byVersion.forEach(
        (version, addresses) ->
            rows.add(
                List.of(
                    version,
                    byVersion.size() == 1
                        ? "all " + addresses.size() + " server(s) checked"
                        : String.join(", ", addresses))));
    list(ListColumn.texts("Version", "Servers"), rows);
  }

  private void tablets() {
    title("Tablet Summary");
    int shown = 0;
    int hidden = 0;
    for (TabletVerdict tablet : result.tablets()) {
      boolean wanted = full || tablet.health() != TabletHealth.HEALTHY;
      if (wanted && (full || shown < CONCISE_TABLETS)) {
        tablet(tablet);
        shown++;
      } else if (wanted) {
        hidden++;
      }
    }
    if (hidden > 0) {
      out.println(
          hidden + " more tablets are not healthy; --ksck_format=plain_full prints all of them");
      out.println();
    } else if (shown == 0) {
      out.println("All " + result.tablets().size() + " tablets are healthy");
      out.println();
    }
  }

  private void tablet(TabletVerdict tablet) {
    out.printf(
        "Tablet %s of table '%s' is %s%s%n",
        tablet.tablet(),
        tablet.table().name(),
        tablet.health().words(),
        tablet.reason().isEmpty() ? "" : ": " + tablet.reason());
    for (TabletVerdict.Replica replica : tablet.replicas()) {
      out.printf(
          "  %s (%s): %s%s%s%n",
          replica.uuid(),
          replica.address(),
          replica.state(),
          replica.uuid().equals(tablet.leader()) ? " [LEADER]" : "",
          replica.voter() ? "" : " [NONVOTER]");
      if (replica.status() != null && !replica.running()) {
        out.println("    Last status: " + replica.status().getLastStatus());
      }
    }
    matrix(tablet);
    out.println();
  }

  private void matrix(TabletVerdict tablet) {
    Map<String, String> letters = letters(tablet);
    out.println("All reported replicas are:");
    letters.forEach((uuid, letter) -> out.println("  " + letter + " = " + uuid));
    out.println("The consensus matrix is:");
    List<List<?>> rows = new ArrayList<>();
    List<String> master = new ArrayList<>();
    for (TabletVerdict.Replica replica : tablet.replicas()) {
      master.add(member(letters.get(replica.uuid()), replica.masterSaysLeader(), replica.voter()));
    }
    rows.add(List.of("master", String.join("  ", master), "", "", "Yes"));
    for (TabletVerdict.Replica replica : tablet.replicas()) {
      ConsensusStatePB state = replica.consensus();
      String letter = letters.get(replica.uuid());
      if (state == null) {
        rows.add(List.of(letter, "[config not available]", "", "", ""));
      } else {
        rows.add(row(letter, state, state.getCommittedConfig(), "Yes", letters));
        if (state.hasPendingConfig()) {
          rows.add(row(letter, state, state.getPendingConfig(), "No", letters));
        }
      }
    }
    try (ListPrinter list =
        ListFormat.pretty.open(
            ListColumn.texts(
                "Config source", "Replicas", "Current term", "Config index", "Committed?"),
            out)) {
      rows.forEach(list::row);
    }
  }

  private static Map<String, String> letters(TabletVerdict tablet) {
    Map<String, String> letters = new LinkedHashMap<>();
    for (TabletVerdict.Replica replica : tablet.replicas()) {
      letters.computeIfAbsent(replica.uuid(), uuid -> letter(letters.size()));
      if (replica.consensus() != null) {
        for (RaftPeerPB peer : replica.consensus().getCommittedConfig().getPeersList()) {
          letters.computeIfAbsent(
              peer.getPermanentUuid().toStringUtf8(), uuid -> letter(letters.size()));
        }
      }
    }
    return letters;
  }

  private static String letter(int index) {
    return index < 26 ? String.valueOf((char) ('A' + index)) : "R" + index;
  }

  private static String member(String letter, boolean leader, boolean voter) {
    return String.format(Locale.ROOT, "%-2s", letter + (leader ? "*" : voter ? "" : "~"));
  }

  private static List<?> row(
      String source,
      ConsensusStatePB state,
      RaftConfigPB config,
      String committed,
      Map<String, String> letters) {
    Map<String, RaftPeerPB> peers = new HashMap<>();
    config.getPeersList().forEach(peer -> peers.put(peer.getPermanentUuid().toStringUtf8(), peer));
    List<String> members = new ArrayList<>();
    letters.forEach(
        (uuid, letter) -> {
          RaftPeerPB peer = peers.get(uuid);
          members.add(
              peer == null
                  ? "  "
                  : member(
                      letter,
                      state.getLeaderUuid().equals(uuid),
                      peer.getMemberType() != RaftPeerPB.MemberType.NON_VOTER));
        });
    return List.of(
        source,
        String.join("  ", members),
        state.getCurrentTerm(),
        config.getOpidIndex(),
        committed);
  }

  private void tables() {
    title("Summary by table");
    List<List<?>> rows = new ArrayList<>();
    for (TableVerdict table : result.tables()) {
      rows.add(
          List.of(
              table.table().name(),
              table.table().replicationFactor(),
              table.health(),
              table.tablets().size(),
              table.count(TabletHealth.HEALTHY),
              table.count(TabletHealth.RECOVERING),
              table.count(TabletHealth.UNDER_REPLICATED),
              table.count(TabletHealth.CONSENSUS_MISMATCH),
              table.count(TabletHealth.UNAVAILABLE)));
    }
    list(
        List.of(
            ListColumn.text("Name"),
            ListColumn.number("RF"),
            ListColumn.text("Status"),
            ListColumn.number("Total Tablets"),
            ListColumn.number("Healthy"),
            ListColumn.number("Recovering"),
            ListColumn.number("Under-replicated"),
            ListColumn.number("Conflicted"),
            ListColumn.number("Unavailable")),
        rows);
  }

  private void replicaCounts() {
    long[] counts =
        result.tabletServers().stream()
            .filter(ServerState::isHealthy)
            .mapToLong(server -> server.replicas().size())
            .sorted()
            .toArray();
    if (counts.length == 0) {
      return;
    }
    title("Tablet Replica Count Summary");
    list(
        List.of(ListColumn.text("Statistic"), ListColumn.number("Replica Count")),
        List.of(
            List.of("Minimum", counts[0]),
            List.of("First Quartile", counts[counts.length / 4]),
            List.of("Median", counts[counts.length / 2]),
            List.of("Third Quartile", counts[3 * counts.length / 4]),
            List.of("Maximum", counts[counts.length - 1])));
  }

  private void checksums() {
    if (result.checksummedRows() < 0) {
      return;
    }
    title("Checksum Summary");
    String table = "";
    for (ChecksumScan.Sum sum : result.checksums()) {
      boolean wanted =
          full || !sum.error().isEmpty() || result.mismatches().contains(sum.tablet().tablet());
      if (!wanted) {
        continue;
      }
      if (!table.equals(sum.tablet().table().name())) {
        table = sum.tablet().table().name();
        out.println(table);
      }
      out.printf(
          "T %s P %s (%s): %s%n",
          sum.tablet().tablet(),
          sum.replica().uuid(),
          sum.replica().address(),
          sum.error().isEmpty()
              ? "Checksum: " + Long.toUnsignedString(sum.value())
              : "Error: " + sum.error());
    }
    out.printf(
        Locale.ROOT,
        "%d replicas, %,d rows read; %s%n%n",
        result.checksums().size(),
        result.checksummedRows(),
        result.mismatches().isEmpty()
            ? "the replicas of each tablet are equal"
            : "replicas of " + result.mismatches().size() + " tablets DIFFER");
  }

  private void totals() {
    title("Total Count Summary");
    list(
        List.of(ListColumn.text(""), ListColumn.number("Total Count")),
        List.of(
            List.of("Masters", result.survey().masters().size()),
            List.of("Tablet Servers", result.tabletServers().size()),
            List.of("Tables", result.tables().size()),
            List.of("Tablets", result.tablets().size()),
            List.of(
                "Replicas",
                result.tablets().stream().mapToInt(tablet -> tablet.replicas().size()).sum())));
  }

  private void verdict() {
    if (result.isHealthy()) {
      out.println("OK");
      return;
    }
    out.println("Errors:");
    result.errors().forEach(error -> out.println("  " + error));
    out.println();
    out.println("Next steps:");
    result.nextSteps().forEach(step -> out.println("  - " + step));
    out.println();
    out.println("FAILED");
  }
}
