package dev.kudu4j.mapreduce;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanToken.KuduScanTokenBuilder;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.client.ReplicaSelection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.mapred.InvalidJobConfException;
import org.apache.hadoop.mapreduce.InputSplit;

/** Divides the scan of a job into splits: parts of tablets, all at one snapshot. */
final class SplitPlan {
  private final InputSettings settings;
  private final KuduClient client;
  private final KuduTable table;
  private final HostNames hosts = new HostNames();

  SplitPlan(InputSettings settings, TableConnection connection) {
    this.settings = settings;
    this.client = connection.client();
    this.table = connection.table();
  }

  /**
   * @param snapshot hybrid time
   * @param jobName name of the scans on the servers
   */
  List<InputSplit> splits(long snapshot, String jobName) throws IOException {
    KuduScanTokenBuilder scan =
        client
            .newScanTokenBuilder(table)
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .snapshotTimestampRaw(snapshot)
            .setFaultTolerant(settings.faultTolerant())
            .cacheBlocks(settings.cacheBlocks())
            .replicaSelection(ReplicaSelection.CLOSEST_REPLICA)
            .keepAlivePeriodMs(settings.keepAliveMillis())
            .setQueryId(jobName);
    if (settings.projection().isPresent()) {
      scan.setProjectedColumnNames(projection());
    }
    for (KuduPredicate predicate : predicates()) {
      scan.addPredicate(predicate);
    }
    if (settings.splitSizeBytes() > 0) {
      scan.setSplitSizeBytes(settings.splitSizeBytes());
    }
    return splits(build(scan));
  }

  /** Builds the scan tokens. Unwraps the checked exceptions that the builder has wrapped. */
  private static List<KuduScanToken> build(KuduScanTokenBuilder scan) throws IOException {
    try {
      return scan.build();
    } catch (RuntimeException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw e;
    }
  }

  private List<InputSplit> splits(List<KuduScanToken> tokens) throws IOException {
    Map<String, Long> tabletBytes = new HashMap<>();
    Map<String, Integer> tabletPieces = new HashMap<>();
    for (KuduScanToken token : tokens) {
      tabletBytes.merge(idOf(token), token.getDataSizeBytes(), Long::sum);
      tabletPieces.merge(idOf(token), 1, Integer::sum);
    }
    double rowsOfTablet = rowsOfTablet();
    List<InputSplit> splits = new ArrayList<>(tokens.size());
    for (KuduScanToken token : tokens) {
      String id = idOf(token);
      long bytes = tabletBytes.get(id);
      double share =
          bytes == 0 ? 1.0 / tabletPieces.get(id) : (double) token.getDataSizeBytes() / bytes;
      splits.add(
          new KuduTableSplit(
              "piece "
                  + splits.size()
                  + " of "
                  + tokens.size()
                  + ", in tablet "
                  + id
                  + " of "
                  + table.getName(),
              token.serialize(),
              locations(token.getTablet()),
              token.getDataSizeBytes(),
              Math.round(share * rowsOfTablet)));
    }
    return splits;
  }

  /**
   * The average number of rows of all tablets, including those that the scan prunes; 0 if unknown.
   */
  private double rowsOfTablet() throws IOException {
    long rows = client.getTableStatistics(table.getName()).getLiveRowCount();
    int tablets =
        client.newScanTokenBuilder(table).setProjectedColumnNames(List.of()).build().size();
    return rows <= 0 || tablets == 0 ? 0 : (double) rows / tablets;
  }

  private static String idOf(KuduScanToken token) {
    return new String(token.getTablet().getTabletId(), StandardCharsets.UTF_8);
  }

  /** The hosts of the replicas. The leader's host is first: its memory contains the newest rows. */
  private String[] locations(LocatedTablet tablet) {
    Set<String> names = new LinkedHashSet<>();
    if (tablet.getLeaderReplica() != null) {
      names.add(hosts.nameOf(tablet.getLeaderReplica().getRpcHost()));
    }
    tablet.getReplicas().forEach(replica -> names.add(hosts.nameOf(replica.getRpcHost())));
    return names.toArray(String[]::new);
  }

  // ---------------------------------------------------------------- columns

  private List<String> projection() throws InvalidJobConfException {
    List<String> names = settings.projection().get();
    for (String name : names) {
      if (!table.getSchema().hasColumn(name)) {
        throw noSuchColumn(name, KuduTableInputFormat.COLUMN_PROJECTION_KEY);
      }
    }
    return names;
  }

  private InvalidJobConfException noSuchColumn(String name, String key) {
    return new InvalidJobConfException(
        "Table '"
            + table.getName()
            + "' has no column '"
            + name
            + "', which "
            + key
            + " names; its columns are "
            + columnNames(table.getSchema()));
  }

  private static String columnNames(Schema schema) {
    return schema.getColumns().stream()
        .map(ColumnSchema::getName)
        .collect(Collectors.joining(", "));
  }

  private List<KuduPredicate> predicates() throws IOException {
    try {
      return KuduPredicate.deserialize(table.getSchema(), settings.predicates());
    } catch (IOException | IllegalArgumentException | dev.kudu4j.common.status.KuduException e) {
      throw new InvalidJobConfException(
          "The predicates in "
              + KuduTableInputFormat.ENCODED_PREDICATES_KEY
              + " do not match table '"
              + table.getName()
              + "' with the columns "
              + columnNames(table.getSchema())
              + ": "
              + e.getMessage()
              + "; create them with the columns of this table's schema",
          e);
    }
  }
}
