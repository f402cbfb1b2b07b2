package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.index.IndexSource;
import dev.kudu4j.client.scan.KeyInterval;
import dev.kudu4j.client.scan.ProjectedColumns;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.TabletReports;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.util.HybridTimeUtil;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Describes a scan: the options that scanner builders and scan token builders have in common.
 *
 * @param <S> the builder itself
 * @param <T> the result of {@link #build}
 */
public abstract class AbstractKuduScannerBuilder<
    S extends AbstractKuduScannerBuilder<? super S, T>, T> {
  static final long NO_TIMESTAMP = ScanQuery.NO_TIMESTAMP;
  static final int DEFAULT_BATCH_BYTES = 1 << 20;
  static final long DEFAULT_KEEP_ALIVE_MILLIS = 15_000;
  private static final byte[] NOTHING = new byte[0];

  final AsyncKuduClient client;
  final KuduTable table;
  final Map<String, KuduPredicate> predicates = new LinkedHashMap<>();

  final List<Condition> conditions = new ArrayList<>();

  List<String> projectedNames;
  List<Integer> projectedIndexes;
  ReadMode readMode = ReadMode.READ_LATEST;
  boolean faultTolerant;
  boolean inKeyOrder;
  int batchBytes = DEFAULT_BATCH_BYTES;
  long limit = Long.MAX_VALUE;
  final List<TopN.Order> rowOrder = new ArrayList<>();
  long offset;
  boolean prefetching;
  boolean cacheBlocks = true;
  long startTimestamp = NO_TIMESTAMP;
  long timestamp = NO_TIMESTAMP;
  byte[] lowerBound = NOTHING;
  byte[] upperBound = NOTHING;
  byte[] lowerPartitionKey = NOTHING;
  byte[] upperPartitionKey = NOTHING;
  long scanRequestTimeout;
  ReplicaSelection replicaSelection = ReplicaSelection.LEADER_ONLY;
  long keepAlivePeriodMs = DEFAULT_KEEP_ALIVE_MILLIS;

  /** No cluster has a longer history. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  String queryId = "";
  long maxStalenessMicros = NO_TIMESTAMP;
  boolean reporting;
  boolean planOnly;
  KuduIndexHint indexHint = KuduIndexHint.optimizer();
  private boolean mayUseIndex = true;
  private IndexSource index; // of a scan token: the one that it reads; null for the table

  AbstractKuduScannerBuilder(AsyncKuduClient client, KuduTable table) {
    this.client = client;
    this.table = table;
    this.scanRequestTimeout = client.getDefaultOperationTimeoutMs();
  }

  /** Sets how fresh and how repeatable the reads are; default {@code READ_LATEST}. */
  public S readMode(ReadMode mode) {
    this.readMode = mode;
    return self();
  }

  /**
   * Lets the scan continue at another replica when its server fails. Rows then arrive in primary
   * key order within each tablet. Implies {@code READ_AT_SNAPSHOT}.
   */
  public S setFaultTolerant(boolean isFaultTolerant) {
    this.faultTolerant = isFaultTolerant;
    if (isFaultTolerant) {
      this.readMode = ReadMode.READ_AT_SNAPSHOT;
    }
    return self();
  }

  void orderByKey(boolean wanted) {
    inKeyOrder = wanted;
    if (wanted) {
      setFaultTolerant(true);
    }
  }

  void orderRows(String column, boolean ascending, boolean nullsFirst) {
    ColumnSchema ordered = table.getSchema().getColumn(column);
    if (ordered.isArray()) {
      throw new IllegalArgumentException(
          "Cannot order by " + column + ": it has arrays, which cannot be compared");
    }
    rowOrder.add(new TopN.Order(stripped(ordered), ascending, nullsFirst));
  }

  void skipRows(long rows) {
    if (rows < 0) {
      throw new IllegalArgumentException("Need a non-negative number of rows, got " + rows);
    }
    this.offset = rows;
  }

  /** Adds a predicate. A row must match all predicates. */
  public S addPredicate(KuduPredicate predicate) {
    predicates.merge(predicate.getColumn().getName(), predicate, KuduPredicate::merge);
    return self();
  }

  /**
   * Adds a condition. A row must match all conditions and all predicates.
   *
   * <p>Servers of Kudu4j evaluate conditions. For others this client reads more rows and filters
   * them.
   */
  public S addCondition(KuduCondition condition) {
    conditions.add(condition.toCommon());
    return self();
  }

  /**
   * Keeps about this fraction of the rows; which ones depends only on their primary keys and the
   * seed. As {@link #addCondition} with {@link KuduCondition#sample(Schema, double, long)}.
   *
   * @throws IllegalArgumentException if the fraction is not from 0 to 1
   */
  public S sample(double fraction, long seed) {
    return addCondition(KuduCondition.sample(table.getSchema(), fraction, seed));
  }

  /**
   * Adds a predicate on a range of values.
   *
   * @deprecated in favour of {@link #addPredicate}
   */
  @Deprecated
  public S addColumnRangePredicate(ColumnRangePredicate predicate) {
    return addPredicate(predicate.toKuduPredicate());
  }

  /**
   * Adds the range predicates that {@link ColumnRangePredicate#toByteArray} serialized.
   *
   * @deprecated in favour of {@link #addPredicate}
   */
  @Deprecated
  public S addColumnRangePredicatesRaw(byte[] bytes) {
    ColumnRangePredicate.fromByteArray(bytes, table.getSchema()).forEach(this::addPredicate);
    return self();
  }

  /**
   * Sets the columns to read, by name, in the order of the result. With an empty list the scan only
   * counts rows; null means all columns.
   */
  public S setProjectedColumnNames(List<String> columnNames) {
    this.projectedIndexes = null;
    this.projectedNames = columnNames == null ? null : List.copyOf(columnNames);
    return self();
  }

  /**
   * Sets the columns to read, by index in the table's schema; see {@link #setProjectedColumnNames}.
   */
  public S setProjectedColumnIndexes(List<Integer> columnIndexes) {
    this.projectedNames = null;
    this.projectedIndexes = columnIndexes == null ? null : List.copyOf(columnIndexes);
    return self();
  }

  /** Sets the approximate size of a batch in bytes. */
  public S batchSizeBytes(int bytes) {
    this.batchBytes = bytes;
    return self();
  }

  /** Sets the maximum number of rows that the scan returns; no limit by default. */
  public S limit(long rows) {
    checkPositive(rows);
    this.limit = rows;
    return self();
  }

  private static void checkPositive(long rows) {
    if (rows <= 0) {
      throw new IllegalArgumentException(
          "Need a strictly positive number for the limit, got " + rows);
    }
  }

  /**
   * Sets whether prefetching begins with the first batch. Prefetching requests the next batch while
   * the caller reads the current one. By default it begins with the second batch, because a caller
   * that requests a second batch usually requests more.
   */
  public S prefetching(boolean prefetch) {
    this.prefetching = prefetch;
    return self();
  }

  /** Whether servers keep the blocks that they read in their cache; set false for large scans. */
  public S cacheBlocks(boolean cache) {
    this.cacheBlocks = cache;
    return self();
  }

  /**
   * Requests a {@link ScanReport}, which shows how the servers run the scan. It costs a few hundred
   * bytes for each tablet. Scan tokens do not contain this option; set it on the builder that
   * {@link KuduScanToken#deserializeIntoScannerBuilder} returns.
   */
  public S report(boolean wanted) {
    this.reporting = wanted;
    return self();
  }

  /**
   * Lets servers only choose how to read: the scan returns no rows, and its {@link ScanReport} has
   * the indexes that servers would use, with estimates. Implies {@link #report}. Scan tokens do not
   * contain this option; set it as that one.
   */
  public S planOnly(boolean wanted) {
    this.planOnly = wanted;
    return self();
  }

  /** Sets which indexes servers may use; by default those that make the scan faster. */
  public S indexHint(KuduIndexHint hint) {
    this.indexHint = hint;
    return self();
  }

  /**
   * Sets whether a {@linkplain KuduIndex#isGlobal global} index may be read instead of the table;
   * default true. Other clients, and former versions of this one, cannot read a scan token of such
   * an index. An {@link #indexHint} is for all indexes, also those that servers of the table use.
   */
  public S globalIndexes(boolean allowed) {
    this.mayUseIndex = allowed;
    return self();
  }

  /** Whether an index may be chosen to be read instead of the table. */
  boolean mayUseIndex() {
    return mayUseIndex && index == null;
  }

  /**
   * Says that this is the scan of a token, which has chosen what to read.
   *
   * @param read the index whose tablets and keys the bounds of this scan refer to; null for the
   *     table
   */
  void chosenByToken(IndexSource read) {
    this.index = read;
    this.mayUseIndex = false;
  }

  private void checkBound() {
    if (index != null) {
      throw new IllegalStateException(
          "The scan token reads the index " + index.name() + ", which has another primary key");
    }
  }

  /** Receives the reports of one scan; null if they are not requested. */
  TabletReports reports() {
    return reporting || planOnly ? new TabletReports() : null;
  }

  /**
   * Lets the servers choose a snapshot that is at most this old, the one that is cheapest to read:
   * mostly the last one that needs no rows from memory. The first server that is asked chooses it,
   * by its clock, and all tablets are read at this snapshot. Implies {@code READ_AT_SNAPSHOT} and
   * {@link ReplicaSelection#CLOSEST_REPLICA}. {@link KuduScanner#getSnapshotTimestamp} and {@link
   * KuduScanner#getStaleness} tell what was read.
   *
   * <p>Only servers of Kudu4j choose; the scan fails with NOT_SUPPORTED on others.
   *
   * @param maxStaleness zero for a current snapshot
   * @throws IllegalArgumentException if it is negative
   */
  public S freshness(Duration maxStaleness) {
    if (maxStaleness.isNegative()) {
      throw new IllegalArgumentException("Freshness must not be negative, got " + maxStaleness);
    }
    Duration bounded = maxStaleness.compareTo(LONGEST) > 0 ? LONGEST : maxStaleness;
    this.maxStalenessMicros = TimeUnit.NANOSECONDS.toMicros(bounded.toNanos());
    this.readMode = ReadMode.READ_AT_SNAPSHOT;
    this.replicaSelection = ReplicaSelection.CLOSEST_REPLICA;
    return self();
  }

  /** Chooses the snapshot now, for scans that are made of this one and read independently. */
  void fixSnapshot() throws KuduException {
    if (maxStalenessMicros != NO_TIMESTAMP && timestamp == NO_TIMESTAMP) {
      Duration freshness = Duration.of(maxStalenessMicros, ChronoUnit.MICROS);
      timestamp = FreshSnapshot.choose(client, freshness, List.of(table));
      maxStalenessMicros = NO_TIMESTAMP;
    }
  }

  /** Sets the snapshot to read, as a hybrid time. */
  public S snapshotTimestampRaw(long hybridTime) {
    this.timestamp = hybridTime;
    return self();
  }

  /** Sets the snapshot to read, in microseconds since the epoch. */
  public S snapshotTimestampMicros(long micros) {
    this.timestamp = HybridTimeUtil.physicalAndLogicalToHTTimestamp(micros, 0);
    return self();
  }

  /**
   * Reads the rows that changed between two snapshots. An additional column marks deleted rows.
   *
   * @param startTimestamp hybrid time, inclusive
   * @param endTimestamp hybrid time, exclusive
   */
  public S diffScan(long startTimestamp, long endTimestamp) {
    this.startTimestamp = startTimestamp;
    this.timestamp = endTimestamp;
    this.faultTolerant = true;
    this.readMode = ReadMode.READ_AT_SNAPSHOT;
    return self();
  }

  /**
   * Sets the timeout for one batch in milliseconds, retries included; by default the operation
   * timeout of the client.
   */
  public S scanRequestTimeout(long millis) {
    this.scanRequestTimeout = millis;
    return self();
  }

  /** Sets the lower bound of the primary key, inclusive. Of several bounds the greatest applies. */
  public S lowerBound(PartialRow partialRow) {
    return lowerBoundRaw(partialRow.encodePrimaryKey());
  }

  /** Like {@link #lowerBound}, with an encoded key. */
  public S lowerBoundRaw(byte[] startPrimaryKey) {
    checkBound();
    if (lowerBound.length == 0 || Arrays.compareUnsigned(startPrimaryKey, lowerBound) > 0) {
      this.lowerBound = startPrimaryKey;
    }
    return self();
  }

  /** Sets the upper bound of the primary key, exclusive. Of several bounds the least applies. */
  public S exclusiveUpperBound(PartialRow partialRow) {
    return exclusiveUpperBoundRaw(partialRow.encodePrimaryKey());
  }

  /** Like {@link #exclusiveUpperBound}, with an encoded key. */
  public S exclusiveUpperBoundRaw(byte[] endPrimaryKey) {
    checkBound();
    if (upperBound.length == 0 || Arrays.compareUnsigned(endPrimaryKey, upperBound) < 0) {
      this.upperBound = endPrimaryKey;
    }
    return self();
  }

  /** Skips tablets that end at or before this encoded partition key. */
  S lowerBoundPartitionKeyRaw(byte[] partitionKey) {
    if (Arrays.compareUnsigned(partitionKey, lowerPartitionKey) > 0) {
      this.lowerPartitionKey = partitionKey;
    }
    return self();
  }

  /** Skips tablets that start at or after this encoded partition key. */
  S exclusiveUpperBoundPartitionKeyRaw(byte[] partitionKey) {
    if (upperPartitionKey.length == 0
        || Arrays.compareUnsigned(partitionKey, upperPartitionKey) < 0) {
      this.upperPartitionKey = partitionKey;
    }
    return self();
  }

  /** Sets which replica of a tablet is read; the leader by default. */
  public S replicaSelection(ReplicaSelection selection) {
    this.replicaSelection = selection;
    return self();
  }

  /**
   * Sets how often, in milliseconds, the client keeps the server's scanner alive while the caller
   * requests no batch; 0 for never. Servers drop scanners that are idle for a minute.
   */
  public S keepAlivePeriodMs(long millis) {
    this.keepAlivePeriodMs = millis;
    return self();
  }

  /** Names the scan in the servers' logs. */
  public S setQueryId(String id) {
    this.queryId = id == null ? "" : id;
    return self();
  }

  /** Builds the scanner or the tokens. */
  public abstract T build();

  @SuppressWarnings("unchecked")
  private S self() {
    return (S) this;
  }

  // ---------------------------------------------------------------- the described scan

  /** The columns of the result. */
  Schema projection() {
    Schema schema = table.getSchema();
    if (projectedNames == null && projectedIndexes == null && startTimestamp == NO_TIMESTAMP) {
      return schema;
    }
    List<dev.kudu4j.common.schema.ColumnSchema> columns = new ArrayList<>();
    if (projectedNames != null) {
      for (String name : projectedNames) {
        columns.add(stripped(schema.getColumn(name)));
      }
    } else if (projectedIndexes != null) {
      for (int index : projectedIndexes) {
        columns.add(stripped(schema.getColumnByIndex(index)));
      }
    } else {
      columns.addAll(schema.toCommon().columns());
    }
    if (startTimestamp != NO_TIMESTAMP) {
      columns.add(isDeletedColumn(schema));
    }
    checkDistinct(columns);
    return Schema.of(new dev.kudu4j.common.schema.Schema(columns));
  }

  private static void checkDistinct(List<dev.kudu4j.common.schema.ColumnSchema> columns) {
    long names = columns.stream().map(column -> column.name()).distinct().count();
    if (names < columns.size()) {
      throw new IllegalArgumentException(
          "Column names must be unique: " + columns.stream().map(ColumnSchema::of).toList());
    }
  }

  /**
   * Clears the id, the key flag and the auto-increment flag: a projection lists columns in any
   * order, where the flags are meaningless.
   */
  static dev.kudu4j.common.schema.ColumnSchema stripped(ColumnSchema column) {
    return column.toCommon().toBuilder()
        .id(dev.kudu4j.common.schema.ColumnSchema.NO_ID)
        .key(false)
        .autoIncrementing(false)
        .build();
  }

  private static dev.kudu4j.common.schema.ColumnSchema isDeletedColumn(Schema schema) {
    String name = "is_deleted";
    for (int i = 1; schema.hasColumn(name); i++) {
      name = "is_deleted_" + i;
    }
    return dev.kudu4j.common.schema.ColumnSchema.builder(name, DataType.IS_DELETED)
        .readDefault(new byte[] {0})
        .build();
  }

  /** The predicates as they are sent to servers. */
  List<ColumnPredicate> mergedPredicates() {
    return ColumnPredicates.merge(
        predicates.values().stream().map(KuduPredicate::toCommon).toList());
  }

  /** All conditions as one; null if there is none. */
  Condition condition() {
    return switch (conditions.size()) {
      case 0 -> null;
      case 1 -> conditions.get(0);
      default -> new Condition.And(conditions);
    };
  }

  /**
   * The scan that this builder describes.
   *
   * @throws IllegalArgumentException if options contradict each other
   */
  ScanDescription describe() {
    Schema projection = projection();
    ScanQuery query = query(withOrder(projection.toCommon()));
    PreparedScan scan = prepare(query, prefetching);
    return new ScanDescription(
        table,
        projection,
        readMode,
        inKeyOrder,
        (int) offset,
        mayUseIndex(),
        scan,
        List.of(),
        Optional.empty());
  }

  /** The scan of the table or of an index, whose pieces are read independently. */
  PreparedScan forPieces(PreparedScan scan) throws KuduException {
    return mayUseIndex()
        ? KuduClient.join(table.globalIndexes().chooseForPieces(scan))
        : table.globalIndexes().ofTable(scan);
  }

  /** The scan of the table, or of the index that a token has chosen. */
  PreparedScan prepare(ScanQuery query, boolean prefetchFirst) {
    PreparedScan scan =
        new PreparedScan(
            client.cluster(), table.tablets(), query, prefetchFirst, keepAlivePeriodMs, reports());
    return index == null ? scan : scan.ofIndex(index);
  }

  /** The given columns, followed by the columns of the order that are not among them. */
  private dev.kudu4j.common.schema.Schema withOrder(dev.kudu4j.common.schema.Schema columns) {
    List<dev.kudu4j.common.schema.ColumnSchema> all = new ArrayList<>(columns.columns());
    List<dev.kudu4j.common.schema.ColumnSchema> needed = new ArrayList<>();
    if (inKeyOrder) {
      table.getSchema().getPrimaryKeyColumns().forEach(key -> needed.add(stripped(key)));
    }
    rowOrder.forEach(by -> needed.add(by.column()));
    for (dev.kudu4j.common.schema.ColumnSchema column : needed) {
      if (all.stream().noneMatch(known -> known.name().equals(column.name()))) {
        all.add(column);
      }
    }
    return all.size() == columns.columnCount() ? columns : new dev.kudu4j.common.schema.Schema(all);
  }

  /** The first rows that the scan needs; null if it needs all rows. */
  private TopN top() {
    if (rowOrder.isEmpty() && offset == 0) {
      return null;
    }
    if (rowOrder.isEmpty()) {
      throw new IllegalArgumentException("offset() needs an order; call orderBy()");
    }
    if (limit == Long.MAX_VALUE || limit > TopN.MAX_COUNT - offset) {
      throw new IllegalArgumentException(
          "orderBy() needs a limit() that is, plus the offset(), at most "
              + TopN.MAX_COUNT
              + " rows; read all rows, or use inKeyOrder() for the order of the primary key");
    }
    if (faultTolerant) {
      throw new IllegalArgumentException(
          "orderBy() cannot be combined with a fault-tolerant scan, inKeyOrder() or diffScan();"
              + " it reads a tablet again by itself after a fault");
    }
    return new TopN(rowOrder, (int) (limit + offset));
  }

  private ScanQuery query(dev.kudu4j.common.schema.Schema columns) {
    ProjectedColumns read =
        columns.equals(table.getSchema().toCommon())
            ? table.allColumns()
            : new ProjectedColumns(columns);
    TopN top = top();
    return query(read, null, top, top == null ? limit : Long.MAX_VALUE, faultTolerant);
  }

  /** The query of an aggregation, whose limit is not one of the rows to read. */
  ScanQuery aggregateQuery(ProjectedColumns results, Aggregation aggregation) {
    return query(results, aggregation, null, Long.MAX_VALUE, false);
  }

  private ScanQuery query(
      ProjectedColumns columns, Aggregation aggregation, TopN top, long rows, boolean ordered) {
    check();
    return new ScanQuery(
        table.getSchema().toCommon(),
        table.partitions(),
        columns,
        mergedPredicates(),
        condition(),
        aggregation,
        top,
        lowerBound.length == 0 ? null : lowerBound,
        upperBound.length == 0 ? null : upperBound,
        List.of(),
        new KeyInterval(lowerPartitionKey, upperPartitionKey),
        rows,
        readMode.pbVersion(),
        timestamp,
        maxStalenessMicros,
        startTimestamp,
        ordered,
        batchBytes,
        cacheBlocks,
        replicaSelection.choice(),
        scanRequestTimeout,
        queryId,
        indexHint.toWire(),
        planOnly);
  }

  private void check() {
    checkPositive(limit);
    if (batchBytes < 0) {
      throw new IllegalArgumentException("Need non-negative number of bytes, got " + batchBytes);
    }
    if (timestamp != NO_TIMESTAMP) {
      if (timestamp < 0) {
        throw new IllegalArgumentException(
            "Need non-negative number for the scan,  timestamp got " + timestamp);
      }
      if (readMode != ReadMode.READ_AT_SNAPSHOT) {
        throw new IllegalArgumentException(
            "When specifying a HybridClock timestamp, the read mode needs to be set to"
                + " READ_AT_SNAPSHOT");
      }
    }
    if (maxStalenessMicros != NO_TIMESTAMP
        && (timestamp != NO_TIMESTAMP || readMode != ReadMode.READ_AT_SNAPSHOT)) {
      throw new IllegalArgumentException(
          "A scan with a freshness needs the read mode READ_AT_SNAPSHOT, and no timestamp");
    }
    if (faultTolerant && readMode != ReadMode.READ_AT_SNAPSHOT) {
      throw new IllegalArgumentException(
          "Use of fault tolerance scanner requires the read mode to be set to READ_AT_SNAPSHOT");
    }
    if (inKeyOrder && !faultTolerant) {
      throw new IllegalArgumentException("A scan in key order must be fault tolerant");
    }
    if (index != null && (faultTolerant || !rowOrder.isEmpty())) {
      throw new IllegalArgumentException(
          "The scan token reads the index " + index.name() + ", which has another order");
    }
    if (startTimestamp != NO_TIMESTAMP && !conditions.isEmpty()) {
      throw new IllegalArgumentException("A diff scan cannot have conditions");
    }
    if (startTimestamp != NO_TIMESTAMP) {
      if (timestamp == NO_TIMESTAMP || startTimestamp < 0) {
        throw new IllegalArgumentException(
            "Must have both start and end timestamps for a diff scan");
      }
      if (startTimestamp > timestamp) {
        throw new IllegalArgumentException(
            "Start timestamp must be less than or equal to end timestamp");
      }
    }
  }
}
