package dev.kudu4j.client.scan;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.ReplicaChoice;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import dev.kudu4j.common.proto.common.OrderMode;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.index.IndexHintPB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.TabletServerFeatures;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.ConditionWire;
import dev.kudu4j.common.wire.ExpressionWire;
import dev.kudu4j.common.wire.PredicateWire;
import dev.kudu4j.common.wire.TopNWire;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The query of a scan, independent of the tablet.
 *
 * @param table the table's schema, with column ids
 * @param columns columns of the result, in its order; no columns to count rows only
 * @param predicates joined by AND; at most one per column
 * @param condition a filter in addition to the predicates; null for none
 * @param aggregation turns rows into groups, whose columns are {@code columns}; null for rows
 * @param top servers may return only the first rows in an order, instead of all rows; null to
 *     return all rows
 * @param lowerKey encoded primary key, inclusive; null for none
 * @param upperKey encoded primary key, exclusive; null for none
 * @param keys encoded primary keys, ascending and distinct: only their rows are read, and a row may
 *     be returned twice if a server is lost; empty for all rows
 * @param partitionKeys interval of partition keys that the caller limits the scan to
 * @param limit maximum number of rows of all tablets together
 * @param snapshot hybrid time of a snapshot read, or the end of a diff scan; {@link #NO_TIMESTAMP}
 *     to let the server of the first tablet choose
 * @param maxStalenessMicros how old the snapshot may be that the server chooses; {@link
 *     #NO_TIMESTAMP} for a current one
 * @param diffStart hybrid time from which changes are returned; {@link #NO_TIMESTAMP} for an
 *     ordinary scan
 * @param ordered whether rows are ordered by primary key within a tablet, which lets the scan
 *     continue at another replica
 * @param batchBytes approximate size of a response
 * @param timeoutMillis timeout for one batch, retries included
 * @param queryId names the scan in the servers' logs; empty for none
 * @param indexHint which indexes servers may use
 * @param planOnly whether servers only choose how to read, and return no rows
 */
public record ScanQuery(
    Schema table,
    PartitionSchema partitions,
    ProjectedColumns columns,
    List<ColumnPredicate> predicates,
    Condition condition,
    Aggregation aggregation,
    TopN top,
    byte[] lowerKey,
    byte[] upperKey,
    List<byte[]> keys,
    KeyInterval partitionKeys,
    long limit,
    ReadMode readMode,
    long snapshot,
    long maxStalenessMicros,
    long diffStart,
    boolean ordered,
    int batchBytes,
    boolean cacheBlocks,
    ReplicaChoice replicaChoice,
    long timeoutMillis,
    String queryId,
    IndexHintPB indexHint,
    boolean planOnly) {

  /** Stands for a timestamp that is not given. */
  public static final long NO_TIMESTAMP = -1;

  public ScanQuery {
    predicates = List.copyOf(predicates);
  }

  /** The columns of the result. */
  public Schema projection() {
    return columns.schema();
  }

  /** The columns that the servers read. */
  public ProjectedColumns columnsRead() {
    return aggregation == null ? columns : new ProjectedColumns(aggregation.columns());
  }

  /** Whether no row can match, so that no server needs to be asked. */
  public boolean matchesNothing() {
    return predicates.stream().anyMatch(ColumnPredicate.None.class::isInstance);
  }

  /** The intervals of partition keys to visit, ascending. */
  public List<KeyInterval> intervals() {
    return PartitionPruner.prune(table, partitions, predicates, lowerKey, upperKey, partitionKeys);
  }

  /** Whether the snapshot must include everything that this client has written or read. */
  boolean readsOwnWrites() {
    return readMode == ReadMode.READ_YOUR_WRITES;
  }

  /** Whether the condition, or the filter of an aggregate, has a sample. */
  public boolean hasSample() {
    return (condition != null && condition.hasSample())
        || (aggregation != null && aggregation.hasSample());
  }

  boolean hasBloomFilters() {
    return predicates.stream().anyMatch(ColumnPredicate.InBloomFilter.class::isInstance);
  }

  /**
   * A part of this scan.
   *
   * @param pieceOfPartitions partition keys of the part; those outside of this scan are not read
   * @param pieceOfKeys primary keys of the part; those outside of this scan are not read
   * @param sharedSnapshot snapshot that all parts read; {@link #NO_TIMESTAMP} when none is known
   *     yet
   * @param rows maximum number of rows of the part
   */
  public ScanQuery part(
      KeyInterval pieceOfPartitions, KeyInterval pieceOfKeys, long sharedSnapshot, long rows) {
    KeyInterval bounds = pieceOfKeys.intersect(primaryKeys());
    return narrowed(bounds, keys, partitionKeys.intersect(pieceOfPartitions), sharedSnapshot, rows);
  }

  /** The {@linkplain #part part} of this scan that a tablet has. */
  public ScanQuery ofTablet(RemoteTablet tablet, long sharedSnapshot, long rows) {
    KeyInterval partition = new KeyInterval(tablet.partition().start(), tablet.partition().end());
    return part(partition, KeyInterval.ALL, sharedSnapshot, rows);
  }

  /**
   * This scan, limited to the rows with given keys.
   *
   * @param only encoded primary keys, ascending and distinct
   * @param pieceOfPartitions partition keys that include those of all rows
   */
  public ScanQuery ofKeys(List<byte[]> only, KeyInterval pieceOfPartitions) {
    return narrowed(primaryKeys(), only, pieceOfPartitions, snapshot, limit);
  }

  /**
   * A scan of the one row with a given key.
   *
   * @param encoded primary key
   * @param next upper bound, exclusive; null for none
   * @param equalities equality predicates on the key columns
   */
  public ScanQuery ofKey(byte[] encoded, byte[] next, List<ColumnPredicate> equalities) {
    ScanQueryDraft changed = new ScanQueryDraft(this);
    changed.predicates = equalities;
    changed.lowerKey = encoded;
    changed.upperKey = next;
    changed.limit = 1;
    return changed.build();
  }

  /**
   * This scan as one of the table of an index, which has all its columns.
   *
   * @param index the columns of the index's table
   */
  public ScanQuery ofIndex(Schema index, PartitionSchema indexPartitions, ReadMode mode) {
    ScanQueryDraft changed = new ScanQueryDraft(this);
    changed.table = index;
    changed.partitions = indexPartitions;
    changed.readMode = mode;
    changed.indexHint = IndexHintPB.getDefaultInstance();
    return changed.build();
  }

  /**
   * A scan of the table of an index, which finds the primary keys of the rows that may match.
   *
   * @param index the columns of the index's table
   * @param key the columns of the primary key of this table
   * @param rows the maximum number of rows
   * @param millis the maximum timeout for one batch
   */
  public ScanQuery ofIndexKeys(
      Schema index, PartitionSchema indexPartitions, ProjectedColumns key, long rows, long millis) {
    ScanQueryDraft changed = new ScanQueryDraft(this);
    changed.table = index;
    changed.partitions = indexPartitions;
    changed.columns = key;
    changed.predicates =
        predicates.stream()
            .filter(predicate -> index.indexOfName(predicate.column().name()) >= 0)
            .toList();
    changed.condition = null;
    changed.aggregation = null;
    changed.top = null;
    changed.lowerKey = null;
    changed.upperKey = null;
    changed.keys = List.of();
    changed.partitionKeys = KeyInterval.ALL;
    changed.limit = rows;
    changed.readMode = ReadMode.READ_AT_SNAPSHOT;
    changed.diffStart = NO_TIMESTAMP;
    changed.ordered = false;
    changed.timeoutMillis = Math.min(millis, timeoutMillis);
    changed.indexHint = IndexHintPB.getDefaultInstance();
    changed.planOnly = false;
    return changed.build();
  }

  /** This scan at a snapshot. */
  public ScanQuery at(long chosen) {
    ScanQueryDraft changed = new ScanQueryDraft(this);
    changed.readMode = ReadMode.READ_AT_SNAPSHOT;
    changed.snapshot = chosen;
    changed.maxStalenessMicros = NO_TIMESTAMP;
    return changed.build();
  }

  /**
   * A scan that only asks servers whether they have the snapshot of this one. Without a snapshot,
   * the first server chooses the current one.
   */
  public ScanQuery ofSnapshot(long millis) {
    ScanQueryDraft changed = new ScanQueryDraft(ofRows(columnsRead(), condition, null));
    changed.readMode = ReadMode.READ_AT_SNAPSHOT;
    changed.timeoutMillis = millis;
    changed.planOnly = true;
    return changed.build();
  }

  /** This scan with other filters. */
  public ScanQuery filtered(List<ColumnPredicate> by, Condition rest) {
    ScanQueryDraft changed = new ScanQueryDraft(this);
    changed.predicates = by;
    changed.condition = rest;
    return changed.build();
  }

  /** This scan without the names of indexes that servers of the table do not know. */
  public ScanQuery withoutIndexes(Collection<String> unknown) {
    List<String> names = new ArrayList<>(indexHint.getNamesList());
    if (!names.removeAll(unknown)) {
      return this;
    }
    IndexHintPB hint =
        names.isEmpty()
            ? IndexHintPB.getDefaultInstance()
            : indexHint.toBuilder().clearNames().addAllNames(names).build();
    ScanQueryDraft changed = new ScanQueryDraft(this);
    changed.indexHint = hint;
    return changed.build();
  }

  /**
   * A scan of the same rows that servers without conditions, aggregations and orders can run.
   *
   * @param read the columns to read
   */
  public ScanQuery ofRows(ProjectedColumns read, Condition filter) {
    return ofRows(read, filter, null);
  }

  /** This scan for servers that cannot select the first rows. */
  ScanQuery ofAllRows() {
    return ofRows(columns, condition, null);
  }

  private ScanQuery ofRows(ProjectedColumns read, Condition filter, TopN first) {
    ScanQueryDraft changed = new ScanQueryDraft(this);
    changed.columns = read;
    changed.condition = filter;
    changed.aggregation = null;
    changed.top = first;
    return changed.build();
  }

  private ScanQuery narrowed(
      KeyInterval bounds, List<byte[]> only, KeyInterval tablets, long readAt, long rows) {
    ScanQueryDraft changed = new ScanQueryDraft(this);
    changed.lowerKey = bounds.start().length == 0 ? null : bounds.start();
    changed.upperKey = bounds.hasEnd() ? bounds.end() : null;
    changed.keys = only;
    changed.partitionKeys = tablets;
    changed.limit = rows;
    changed.snapshot = readAt;
    return changed.build();
  }

  /** The interval of encoded primary keys from {@code lowerKey} to {@code upperKey}. */
  KeyInterval primaryKeys() {
    byte[] none = KeyInterval.ALL.start();
    return new KeyInterval(lowerKey == null ? none : lowerKey, upperKey == null ? none : upperKey);
  }

  /**
   * Whether all tablets must be read at one snapshot, which the server of the first tablet chooses.
   */
  public boolean sharesSnapshot() {
    return readMode == ReadMode.READ_AT_SNAPSHOT && snapshot == NO_TIMESTAMP;
  }

  /** Whether a server may choose a snapshot that is not current. */
  private boolean mayBeStale() {
    return maxStalenessMicros != NO_TIMESTAMP && snapshot == NO_TIMESTAMP;
  }

  /** The part of a request to open a scanner that is the same for every tablet. */
  NewScanRequestPB.Builder toWire() {
    NewScanRequestPB.Builder request =
        NewScanRequestPB.newBuilder()
            .setTabletId(ByteString.EMPTY)
            .setReadMode(readMode)
            .setOrderMode(ordered ? OrderMode.ORDERED : OrderMode.UNORDERED)
            .setCacheBlocks(cacheBlocks)
            .addAllProjectedColumns(columnsRead().toWire())
            .addAllColumnPredicates(predicatesToWire(predicates));
    if (condition != null) {
      request.setCondition(ConditionWire.toWire(condition));
    }
    if (aggregation != null) {
      request.setAggregation(ExpressionWire.toWire(aggregation));
    }
    if (top != null) {
      request.setTopN(TopNWire.toWire(top));
    }
    if (lowerKey != null) {
      request.setStartPrimaryKey(ByteString.copyFrom(lowerKey));
    }
    if (upperKey != null) {
      request.setStopPrimaryKey(ByteString.copyFrom(upperKey));
    }
    for (byte[] key : keys) {
      request.addPrimaryKeys(ByteString.copyFrom(key));
    }
    if (indexHint.getUse() != IndexHintPB.Use.CHOSEN) {
      request.setIndexHint(indexHint);
    }
    if (planOnly) {
      request.setPlanOnly(true);
    }
    if (diffStart != NO_TIMESTAMP) {
      request.setSnapStartTimestamp(diffStart);
    }
    if (mayBeStale()) {
      request.setMaxStalenessMicros(maxStalenessMicros);
    }
    return request;
  }

  /** The features that a server needs to run this scan. */
  List<Integer> features(boolean columnar) {
    List<Integer> features = new ArrayList<>();
    if (!predicates().isEmpty()) {
      features.add(TabletServerFeatures.COLUMN_PREDICATES_VALUE);
    }
    if (columnar) {
      features.add(TabletServerFeatures.COLUMNAR_LAYOUT_FEATURE_VALUE);
    }
    if (hasBloomFilters()) {
      features.add(TabletServerFeatures.BLOOM_FILTER_PREDICATE_V2_VALUE);
    }
    if (!keys().isEmpty()) {
      features.add(TabletServerFeatures.PRIMARY_KEYS_VALUE);
    }
    if (condition() != null) {
      features.add(TabletServerFeatures.CONDITIONS_VALUE);
    }
    if (hasSample()) {
      features.add(TabletServerFeatures.SAMPLES_VALUE);
    }
    if (aggregation() != null) {
      features.add(TabletServerFeatures.AGGREGATION_VALUE);
      if (aggregation().hasSketch()) {
        features.add(TabletServerFeatures.DISTINCT_SKETCHES_VALUE);
      }
      if (aggregation().hasFloatingGroups()) {
        features.add(TabletServerFeatures.FLOATING_GROUPS_VALUE);
      }
    }
    if (top() != null) {
      features.add(TabletServerFeatures.TOP_N_VALUE);
    }
    if (mayBeStale()) {
      features.add(TabletServerFeatures.FRESHNESS_VALUE);
    }
    return features;
  }

  public static List<ColumnPredicatePB> predicatesToWire(List<ColumnPredicate> predicates) {
    return predicates.stream().map(PredicateWire::toWire).toList();
  }
}
