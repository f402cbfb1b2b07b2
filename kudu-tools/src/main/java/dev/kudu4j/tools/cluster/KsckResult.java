package dev.kudu4j.tools.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The result of ksck.
 *
 * @param checksums checksums of the replicas; empty if not requested
 * @param checksummedRows number of rows in all checksums together; -1 if not requested
 */
record KsckResult(
    ClusterSurvey survey,
    List<TableVerdict> tables,
    List<ChecksumScan.Sum> checksums,
    long checksummedRows) {

  List<TabletVerdict> tablets() {
    return tables.stream().flatMap(table -> table.tablets().stream()).toList();
  }

  Collection<ServerState> tabletServers() {
    return survey.tabletServers().values();
  }

  /** The problems, one sentence each; empty if the cluster is healthy. */
  List<String> errors() {
    List<String> errors = new ArrayList<>();
    long masters = survey.masters().stream().filter(master -> !master.isHealthy()).count();
    if (masters > 0) {
      errors.add("%d of %d masters are not healthy".formatted(masters, survey.masters().size()));
    }
    long leaders =
        survey.masters().stream().filter(master -> master.role().equals("LEADER")).count();
    if (leaders != 1) {
      errors.add(
          "%d masters report that they are the leader; there must be exactly one"
              .formatted(leaders));
    }
    if (!CatalogConsensusStates.of(survey.masters()).agree()) {
      errors.add("the masters disagree about the masters of the cluster or their leader");
    }
    long servers = tabletServers().stream().filter(server -> !server.isHealthy()).count();
    if (servers > 0) {
      errors.add(
          "%d of %d tablet servers are not healthy".formatted(servers, tabletServers().size()));
    }
    if (tabletServers().isEmpty()) {
      errors.add("no tablet server has registered with the master");
    }
    long bad = tables.stream().filter(table -> table.health() != TabletHealth.HEALTHY).count();
    if (bad > 0) {
      errors.add("%d of %d tables are not healthy".formatted(bad, tables.size()));
    }
    long unsummed = checksums.stream().filter(sum -> !sum.error().isEmpty()).count();
    if (unsummed > 0) {
      errors.add("%d replicas have no checksum".formatted(unsummed));
    }
    if (!mismatches().isEmpty()) {
      errors.add("replicas of %d tablets have different rows".formatted(mismatches().size()));
    }
    return errors;
  }

  /** Tablets with replicas whose checksums differ. */
  Set<String> mismatches() {
    Map<String, Long> first = new LinkedHashMap<>();
    Set<String> different = new LinkedHashSet<>();
    for (ChecksumScan.Sum sum : checksums) {
      if (sum.error().isEmpty()) {
        Long other = first.putIfAbsent(sum.tablet().tablet(), sum.value());
        if (other != null && other != sum.value()) {
          different.add(sum.tablet().tablet());
        }
      }
    }
    return different;
  }

  boolean isHealthy() {
    return errors().isEmpty();
  }

  /** Recommended actions, most urgent first. */
  List<String> nextSteps() {
    List<String> steps = new ArrayList<>();
    for (ServerState master : survey.masters()) {
      if (!master.isHealthy()) {
        steps.add(
            "Restart the master at %s (%s); its log shows why it stopped"
                .formatted(master.address(), master.error()));
      }
    }
    CatalogConsensusStates states = CatalogConsensusStates.of(survey.masters());
    if (!states.agree()) {
      steps.add(
          "The masters disagree: run ksck again in a few seconds; if they still"
              + " disagree, compare --master_addresses of all masters, and read their logs");
    }
    for (ServerState server : tabletServers()) {
      if (server.health() == ServerHealth.UNAVAILABLE) {
        steps.add(
            "Restart tablet server %s (%s): %d tablets have a replica on it"
                .formatted(server.name(), server.error(), replicasOn(server.uuid())));
      } else if (server.health() == ServerHealth.REPORTS_FAIL) {
        steps.add(
            "Tablet server %s responds, but %s; see its log and the master's log"
                .formatted(server.name(), server.error()));
      } else if (server.health() == ServerHealth.WRONG_SERVER_UUID) {
        steps.add(
            "Tablet server %s is missing: %s; restart it on its own directories"
                .formatted(server.name(), server.error()));
      }
    }
    if (tabletServers().isEmpty()) {
      steps.add("Start a tablet server: kudu tserver run --tserver_master_addrs=...");
    }
    if (count(TabletHealth.UNAVAILABLE) > 0) {
      steps.add(
          "%d tablets accept no writes until a majority of their replicas runs"
              .formatted(count(TabletHealth.UNAVAILABLE)));
    }
    if (count(TabletHealth.CONSENSUS_MISMATCH) > 0) {
      steps.add(
          "%d tablets disagree about their leader or members: run ksck again in a few seconds; if"
                  .formatted(count(TabletHealth.CONSENSUS_MISMATCH))
              + " they still disagree, read the logs of their servers");
    }
    if (count(TabletHealth.RECOVERING) > 0) {
      steps.add("Wait until all replicas are copied or started, and run ksck again");
    }
    if (!mismatches().isEmpty()) {
      steps.add(
          "Replicas differ: stop writing to these tablets, keep the directories of"
              + " their servers, and compare them with kudu fs check: "
              + String.join(", ", mismatches()));
    }
    for (TableVerdict table : tables) {
      if (!table.table().error().isEmpty()) {
        steps.add("Table %s: %s".formatted(table.table().name(), table.table().error()));
      }
    }
    return steps;
  }

  private long count(TabletHealth health) {
    return tables.stream().mapToLong(table -> table.count(health)).sum();
  }

  private long replicasOn(String server) {
    return tablets().stream()
        .filter(tablet -> tablet.replicas().stream().anyMatch(each -> each.uuid().equals(server)))
        .count();
  }
}
