package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.feed.FeedPlace;
import dev.kudu4j.client.feed.FeedQuery;
import dev.kudu4j.client.feed.TableFeed;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ProjectedColumns;
import dev.kudu4j.common.schema.ColumnSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Describes a {@link KuduChangeFeed}. Without other calls it begins with the changes after {@link
 * #build}, has all columns and never ends.
 */
public final class KuduChangeFeedBuilder {
  private static final int DEFAULT_BATCH_BYTES = 1 << 20;

  private final AsyncKuduClient client;
  private final KuduTable table;
  private KuduChangePosition position; // null to begin at a snapshot
  private long snapshot = AsyncKuduClient.NO_TIMESTAMP; // to begin at the current one
  private long end = Long.MAX_VALUE;
  private int batchBytes = DEFAULT_BATCH_BYTES;
  private List<String> columns; // null for all
  private Set<String> tablets; // null for all
  private ReplicaSelection replicas = ReplicaSelection.LEADER_ONLY;

  KuduChangeFeedBuilder(AsyncKuduClient client, KuduTable table) {
    this.client = client;
    this.table = table;
  }

  /**
   * Begins where another feed of the table was.
   *
   * @throws IllegalArgumentException for a position in another table
   */
  public KuduChangeFeedBuilder from(KuduChangePosition where) {
    if (!where.tableId().equals(table.getTableId())) {
      throw new IllegalArgumentException(
          "The position is one of table "
              + where.tableId()
              + ", not of "
              + table.getName()
              + " ("
              + table.getTableId()
              + ")");
    }
    position = where;
    return this;
  }

  /**
   * Begins with the changes that a scan at this snapshot does not see. So whoever scans a table and
   * then follows its changes has all of it.
   *
   * @param hybridTime a snapshot, for example {@link KuduScanner#getSnapshotTimestamp} of a scan
   */
  public KuduChangeFeedBuilder fromSnapshot(long hybridTime) {
    if (hybridTime < 0) {
      throw new IllegalArgumentException("A snapshot is not negative: " + hybridTime);
    }
    snapshot = hybridTime;
    position = null;
    return this;
  }

  /** Begins with the first change of the table; the servers must have its whole history. */
  public KuduChangeFeedBuilder fromBeginning() {
    return fromSnapshot(0);
  }

  /** Ends before the first change that a scan at this snapshot, a hybrid time, does not see. */
  public KuduChangeFeedBuilder until(long hybridTime) {
    end = hybridTime;
    return this;
  }

  /**
   * Reads only these columns, and the key. Changes that change none of them are left out.
   *
   * @throws IllegalArgumentException if the table lacks one of them
   */
  public KuduChangeFeedBuilder columns(List<String> names) {
    names.forEach(name -> table.getSchema().getColumn(name));
    columns = List.copyOf(names);
    return this;
  }

  /**
   * Reads only these tablets, for programs that divide a table among several readers. Tablets that
   * are created later are not read.
   *
   * @param ids of tablets, as in {@link KuduChange#tabletId}
   */
  public KuduChangeFeedBuilder tablets(Collection<String> ids) {
    tablets = Set.copyOf(ids);
    return this;
  }

  /** The approximate size of a response of a server; 1 MiB if not set. */
  public KuduChangeFeedBuilder batchSizeBytes(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("The size of a response must be positive: " + bytes);
    }
    batchBytes = bytes;
    return this;
  }

  /** Which replicas to ask; the leader if not set. All have the same changes, followers later. */
  public KuduChangeFeedBuilder replicaSelection(ReplicaSelection selection) {
    replicas = selection;
    return this;
  }

  /**
   * Opens the feed.
   *
   * @throws KuduException if it begins now, and the servers do not answer
   */
  public KuduChangeFeed build() throws KuduException {
    dev.kudu4j.common.schema.Schema all = table.getSchema().toCommon();
    List<ColumnSchema> wanted = new ArrayList<>();
    for (ColumnSchema column : all.columns()) {
      if (column.isKey() || columns == null || columns.contains(column.name())) {
        wanted.add(column);
      }
    }
    dev.kudu4j.common.schema.Schema projection = new dev.kudu4j.common.schema.Schema(wanted);
    CellLayout layout = new CellLayout(projection);
    FeedQuery query =
        new FeedQuery(
            client.cluster(),
            new ProjectedColumns(projection),
            layout,
            IntStream.range(0, all.keyColumnCount()).toArray(),
            replicas.choice(),
            end,
            batchBytes,
            client.getDefaultOperationTimeoutMs());
    TableFeed feed = new TableFeed(query, table.tablets(), tablets, places());
    return new KuduChangeFeed(table.getTableId(), Schema.of(projection), layout, feed);
  }

  private Map<String, FeedPlace> places() throws KuduException {
    if (position != null) {
      return position.places();
    }
    long from =
        snapshot == AsyncKuduClient.NO_TIMESTAMP
            ? FreshSnapshot.oldest(client, Duration.ZERO, List.of(table))
            : snapshot;
    Map<String, FeedPlace> places = new HashMap<>();
    Deadline deadline = Deadline.after(client.getDefaultOperationTimeoutMs());
    for (RemoteTablet tablet :
        KuduClient.join(table.tablets().betweenAnew(new byte[0], new byte[0], deadline))) {
      places.put(tablet.tabletId(), new FeedPlace(from, null));
    }
    return places;
  }
}
