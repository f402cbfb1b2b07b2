package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Pause;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.Names;
import dev.kudu4j.tools.phrase.Json;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks a cluster's health. */
@Command(
    name = "ksck",
    description = {
      "Checks the health of a cluster: masters, tablet servers, and every replica of every tablet.",
      "Exit code 0 means healthy, 1 means that there are problems; the output ends"
          + " with next steps."
    },
    footer = {
      "  kudu cluster ksck",
      "  kudu cluster ksck 127.0.0.1:7051 --checksum_scan",
      "  kudu cluster ksck --tables='tpch.*' --ksck_format=json_compact"
    })
final class KsckVerb extends ClusterVerb {
  private static final int NOT_HEALTHY = 1;
  private static final int SURVEYS = 4;
  private static final long PAUSE_MILLIS = 700;

  /** The format of the report; the names are those of Apache Kudu. */
  enum Form {
    plain_concise,
    plain_full,
    json_pretty,
    json_compact
  }

  @Parameters(
      paramLabel = "[MASTERS]",
      arity = "0..1",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--tables",
      split = ",",
      paramLabel = "NAME[,NAME]",
      description = "Check only these tables; * matches any text. Default: all.")
  private List<String> tables = List.of();

  @Option(
      names = "--tablets",
      split = ",",
      paramLabel = "ID[,ID]",
      description = "Check only these tablets. Default: all.")
  private Set<String> tablets = Set.of();

  @Option(
      names = "--checksum_scan",
      description =
          "Reads all rows of every replica at one snapshot, and compares the replicas"
              + " of each tablet.")
  private boolean checksumScan;

  @Option(
      names = "--checksum_scan_concurrency",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Maximum number of replicas that are scanned at a time on one server; default"
              + " ${DEFAULT-VALUE}.")
  private int checksumConcurrency;

  @Option(
      names = "--checksum_timeout_sec",
      paramLabel = "SECONDS",
      defaultValue = "86400",
      description = "Time limit for all checksums; default ${DEFAULT-VALUE}.")
  private long checksumTimeoutSeconds;

  @Option(
      names = {"--ksck_format", "--format"},
      paramLabel = "FORMAT",
      defaultValue = "plain_concise",
      description = {
        "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}, which omits healthy tablets."
      })
  private Form format;

  @Override
  public Integer call() {
    if (checksumConcurrency < 1) {
      throw KuduException.invalidArgument(
          "--checksum_scan_concurrency=%d: must be at least 1", checksumConcurrency);
    }
    Target target = Target.of(arguments);
    KsckResult result;
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      result = check(calls);
    }
    switch (format) {
      case plain_concise -> new KsckReport(result, false, out()).print();
      case plain_full -> new KsckReport(result, true, out()).print();
      case json_pretty -> say(Json.write(KsckJson.of(result)));
      case json_compact -> say(Json.writeCompact(KsckJson.of(result)));
    }
    return result.isHealthy() ? DONE : NOT_HEALTHY;
  }

  private KsckResult check(ClusterCalls calls) {
    ClusterSurvey survey = ClusterSurvey.of(calls, Names.like(tables));
    List<TableVerdict> verdicts = verdicts(survey);
    for (int i = 1; i < SURVEYS && isBetweenLeaders(survey, verdicts); i++) {
      Pause.millis(PAUSE_MILLIS); // until a new leader's heartbeat reaches the master
      survey = ClusterSurvey.of(calls, Names.like(tables));
      verdicts = verdicts(survey);
    }
    if (verdicts.isEmpty() && !tables.isEmpty()) {
      throw KuduException.notFound(
          "There is no table %s; kudu table list lists the tables", String.join(" or ", tables));
    }
    if (!checksumScan) {
      return new KsckResult(survey, verdicts, List.of(), -1);
    }
    ChecksumScan scan = new ChecksumScan(calls, checksumConcurrency, checksumTimeoutSeconds);
    List<TabletVerdict> all = verdicts.stream().flatMap(table -> table.tablets().stream()).toList();
    List<ChecksumScan.Sum> sums = scan.run(all, survey.tabletServers());
    return new KsckResult(survey, verdicts, sums, scan.rows());
  }

  private List<TableVerdict> verdicts(ClusterSurvey survey) {
    return survey.tables().stream()
        .map(table -> TableVerdict.of(only(table), survey.tabletServers()))
        .toList();
  }

  private TableState only(TableState table) {
    return tablets.isEmpty()
        ? table
        : new TableState(
            table.id(),
            table.name(),
            table.replicationFactor(),
            table.schema(),
            table.tablets().stream().filter(tablet -> tablets.contains(tablet.id())).toList(),
            table.error());
  }

  /**
   * Whether servers disagree about leaders or members. An election may be the cause, so the check
   * is repeated.
   */
  private static boolean isBetweenLeaders(ClusterSurvey survey, List<TableVerdict> tables) {
    return !CatalogConsensusStates.of(survey.masters()).agree()
        || tables.stream().anyMatch(table -> table.count(TabletHealth.CONSENSUS_MISMATCH) > 0);
  }
}
