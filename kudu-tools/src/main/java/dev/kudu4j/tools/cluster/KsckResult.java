package dev.kudu4j.tools.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything that ksck found.
 *
 * @param checksums empty when none were asked for
 * @param checksummedRows rows of all replicas; -1 when none were asked for
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

  /** What is wrong, one sentence each; nothing means healthy. */
  List<String> errors() {
    List<String> errors = new ArrayList<>();
    long masters = survey.masters().stream().filter(master -> !master.isHealthy()).count();
    if (masters > 0) {
      errors.add("%d of %d masters are not healthy".formatted(masters, survey.masters().size()));
    }
    long leaders =
        survey.masters().stream().filter(master -> master.role().equals("LEADER")).count();
    if (leaders != 1) {
      errors.add("%d masters say that they lead; it takes one".formatted(leaders));
    }
    if (!CatalogViews.of(survey.masters()).agree()) {
      errors.add("the masters do not agree on who they are and who leads them");
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
      errors.add("%d replicas could not be summed".formatted(unsummed));
    }
    if (!mismatches().isEmpty()) {
      errors.add("replicas of %d tablets have different rows".formatted(mismatches().size()));
    }
    return errors;
  }

  /** Tablets of which two replicas differ. */
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

  /** What an operator would do now, most urgent first. */
  List<String> nextSteps() {
    List<String> steps = new ArrayList<>();
    for (ServerState master : survey.masters()) {
      if (!master.isHealthy()) {
        steps.add(
            "Start the master at %s again (%s); its log says why it ended"
                .formatted(master.address(), master.error()));
      }
    }
    CatalogViews views = CatalogViews.of(survey.masters());
    if (!views.agree()) {
      steps.add(
          "The masters disagree: run ksck again in some seconds; if they still do, compare"
              + " --master_addresses of all, and look into their logs");
    }
    for (ServerState server : tabletServers()) {
      if (server.health() == ServerHealth.UNAVAILABLE) {
        steps.add(
            "Start tablet server %s again (%s): %d tablets have a replica on it"
                .formatted(server.name(), server.error(), replicasOn(server.uuid())));
      } else if (server.health() == ServerHealth.REPORTS_FAIL) {
        steps.add(
            "Tablet server %s serves, but %s; its log and the master's say more"
                .formatted(server.name(), server.error()));
      } else if (server.health() == ServerHealth.WRONG_SERVER_UUID) {
        steps.add(
            "Tablet server %s is gone: %s; start it on its own directories"
                .formatted(server.name(), server.error()));
      }
    }
    if (tabletServers().isEmpty()) {
      steps.add("Start a tablet server: kudu tserver run --tserver_master_addrs=...");
    }
    if (count(TabletHealth.UNAVAILABLE) > 0) {
      steps.add(
          "%d tablets take no writes until a majority of their replicas runs"
              .formatted(count(TabletHealth.UNAVAILABLE)));
    }
    if (count(TabletHealth.CONSENSUS_MISMATCH) > 0) {
      steps.add(
          "%d tablets disagree on who leads or takes part: run ksck again in some seconds; if they"
                  .formatted(count(TabletHealth.CONSENSUS_MISMATCH))
              + " still do, look into the logs of their servers");
    }
    if (count(TabletHealth.RECOVERING) > 0) {
      steps.add("Wait for replicas that are being copied or started, and run ksck again");
    }
    if (!mismatches().isEmpty()) {
      steps.add(
          "Replicas differ: stop writing to these tablets, keep the servers' directories, and"
              + " compare by kudu fs check: "
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
