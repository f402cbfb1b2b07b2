package dev.kudu4j.spark.changes;

import dev.kudu4j.client.KuduChange;
import dev.kudu4j.client.KuduChangeFeed;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.client.ClusterErrors;
import dev.kudu4j.spark.read.SnapshotTime;
import dev.kudu4j.spark.type.SparkTypes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.read.InputPartition;

/** What the driver knows of the changes of a table: its tablets, the time, how many there are. */
final class ChangeSource {
  private static final Duration POLL = Duration.ofSeconds(1);

  private final LoadedTable table;
  private final KuduOptions options;

  ChangeSource(LoadedTable table, KuduOptions options) {
    this.table = table;
    this.options = options;
  }

  private interface Question<T> {
    T ask() throws KuduException;
  }

  private <T> T ask(Question<T> question) {
    try {
      return question.ask();
    } catch (KuduException e) {
      throw failure(table.name(), e);
    }
  }

  static RuntimeException failure(String table, KuduException cause) {
    String advice =
        cause.getStatus().isInvalidArgument() // also the answer for a column that was dropped
            ? " (if the columns of the table were changed, start the query again)"
            : "";
    return ClusterErrors.of("The changes of table " + table + " cannot be read" + advice, cause);
  }

  /** A time below which all changes can be read, and no other will be made. */
  long now() {
    return ask(
        () -> table.connection().client().newReadSession(Duration.ZERO).advance(table.kuduTable()));
  }

  /** The ids of the table's tablets. */
  List<String> tablets() {
    long timeoutMillis = table.connection().client().getDefaultAdminOperationTimeoutMs();
    List<LocatedTablet> found = ask(() -> table.kuduTable().getTabletsLocations(timeoutMillis));
    return found.stream()
        .map(tablet -> new String(tablet.getTabletId(), StandardCharsets.UTF_8))
        .toList();
  }

  /** The hybrid time at which a read begins. */
  long start(KuduOptions.Start otherwise) {
    Optional<KuduOptions.Start> chosen = options.changesFrom();
    KuduOptions.Start start = chosen.orElse(otherwise);
    return switch (start.kind()) {
      case BEGINNING -> 0;
      case NOW -> now();
      case VERSION -> start.value();
      case TIME -> SnapshotTime.ofMicros(table.name(), start.value());
    };
  }

  /** Whether a batch of a stream has a maximum of changes. */
  long maxChanges() {
    return options.maxChangesPerTrigger();
  }

  /**
   * The end of a batch with at most so many changes, but at least those of one timestamp.
   *
   * @param until the end without this limit
   */
  long limited(ChangesOffset from, List<String> tablets, long until, long max) {
    return ask(
        () -> {
          KuduChangeFeed feed = feed(from, tablets, until);
          long count = 0;
          long last = from.timestamp(); // those of new tablets may be below
          while (!tablets.isEmpty() && !feed.isOver()) {
            for (KuduChange change : feed.poll(POLL)) {
              if (count >= max && change.timestamp() > last) {
                return change.timestamp();
              }
              last = Math.max(last, change.timestamp());
              count++;
            }
          }
          return until;
        });
  }

  /** Whether the tablets have changes between an offset and a time. */
  boolean hasChanges(ChangesOffset from, List<String> tablets, long until) {
    return ask(
        () -> {
          KuduChangeFeed feed = feed(from, tablets, until);
          boolean any = false;
          while (!any && !tablets.isEmpty() && !feed.isOver()) {
            any = !feed.poll(POLL).isEmpty();
          }
          return any;
        });
  }

  /** The changes of known tablets; new ones are counted from the offset on, too. */
  private KuduChangeFeed feed(ChangesOffset from, List<String> tablets, long until)
      throws KuduException {
    return table
        .kuduTable()
        .changes()
        .tablets(tablets)
        .fromSnapshot(from.timestamp())
        .until(until)
        .batchSizeBytes(options.batchBytes())
        .build();
  }

  /**
   * One split for each tablet, with its changes between two offsets. The tablets are those of the
   * end, so a batch is the same when it is planned again.
   */
  InputPartition[] splits(ChangesOffset from, ChangesOffset end) {
    return end.tablets().stream()
        .filter(tablet -> from.timestamp() < end.timestamp() || !from.knows(tablet))
        .map(
            tablet ->
                new ChangeSplit(
                    table.connection(),
                    table.kuduTable().getTableId(),
                    tablet,
                    SparkTypes.rowType(table.kuduTable().getSchema().getColumns()),
                    from.knows(tablet) ? from.timestamp() : 0,
                    end.timestamp(),
                    options.batchBytes(),
                    options.replicaSelection()))
        .toArray(InputPartition[]::new);
  }
}
