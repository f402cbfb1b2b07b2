package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.client.index.IndexSource;
import dev.kudu4j.client.lookup.KeyLookup;
import dev.kudu4j.client.lookup.LookupKey;
import dev.kudu4j.client.lookup.RowFactory;
import dev.kudu4j.client.row.RowPartitionKeys;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ProjectedColumns;
import dev.kudu4j.client.token.TableDescription;
import dev.kudu4j.client.write.WriteTable;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.partition.RangeText;
import dev.kudu4j.common.proto.master.ColumnStatisticsPB;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * An open table, with its schema and partitioning as of when it was opened. Reopen it to see later
 * alterations. Thread-safe.
 */
public final class KuduTable {
  private static final byte[] UNBOUNDED = new byte[0];

  private final AsyncKuduClient client;
  private final String tableId;
  private final String name;
  private final Schema schema;
  private final ProjectedColumns allColumns;
  private final dev.kudu4j.common.partition.PartitionSchema partitions;
  private final Properties properties;
  private final WriteTable writeTable;
  private final GlobalIndexes globalIndexes;
  private volatile KeyLookup<RowResult> lookup; // null before the first lookup

  /** Table properties other than columns and partitions. */
  record Properties(
      int numReplicas, Map<String, String> extraConfigs, String owner, String comment) {
    Properties {
      extraConfigs = Map.copyOf(extraConfigs);
    }
  }

  KuduTable(
      AsyncKuduClient client,
      String tableId,
      String name,
      Schema schema,
      dev.kudu4j.common.partition.PartitionSchema partitions,
      Properties properties) {
    this.client = client;
    this.tableId = tableId;
    this.name = name;
    this.schema = schema;
    this.allColumns = new ProjectedColumns(schema.toCommon());
    this.partitions = partitions;
    this.properties = properties;
    this.writeTable = new WriteTable(name, schema.toCommon(), partitions, tablets());
    this.globalIndexes = new GlobalIndexes(client, this);
  }

  /** The indexes that scans can read instead of this table. */
  GlobalIndexes globalIndexes() {
    return globalIndexes;
  }

  /** This table as an index of another one. */
  IndexSource asIndex(String index) {
    return new IndexSource(index, name, schema.toCommon(), partitions, tablets());
  }

  static KuduTable of(TableDescription table, AsyncKuduClient client) {
    return new KuduTable(
        client,
        table.id(),
        table.name(),
        Schema.of(table.schema()),
        table.partitions(),
        new Properties(table.numReplicas(), table.extraConfigs(), table.owner(), table.comment()));
  }

  TableDescription description() {
    return new TableDescription(
        tableId,
        name,
        schema.toCommon(),
        partitions,
        getNumReplicas(),
        getExtraConfig(),
        getOwner(),
        getComment());
  }

  public Schema getSchema() {
    return schema;
  }

  ProjectedColumns allColumns() {
    return allColumns;
  }

  public PartitionSchema getPartitionSchema() {
    return new PartitionSchema(schema, partitions);
  }

  public String getName() {
    return name;
  }

  public String getTableId() {
    return tableId;
  }

  public int getNumReplicas() {
    return properties.numReplicas();
  }

  public Map<String, String> getExtraConfig() {
    return properties.extraConfigs();
  }

  /** The indexes of the table, by name; empty if there are none. */
  public List<KuduIndex> getIndexes() {
    return KuduIndex.of(properties.extraConfigs());
  }

  public String getOwner() {
    return properties.owner();
  }

  public String getComment() {
    return properties.comment();
  }

  public AsyncKuduClient getAsyncClient() {
    return client;
  }

  /** The partition schema in its internal form. */
  dev.kudu4j.common.partition.PartitionSchema partitions() {
    return partitions;
  }

  /** The table in the form that sessions use for writes. */
  WriteTable writeTable() {
    return writeTable;
  }

  /** Encodes the partition keys of the table's rows. */
  RowPartitionKeys partitionKeys() {
    return new RowPartitionKeys(partitions, schema.toCommon());
  }

  /** The cached locations of the table's tablets. */
  TableTablets tablets() {
    return client.cluster().tabletsOf(tableId, name);
  }

  /** Describes an aggregation over this table, which tablet servers compute. */
  public KuduAggregateBuilder aggregate() {
    return new KuduAggregateBuilder(client, this);
  }

  /** Describes a reader of the changes of this table's rows. */
  public KuduChangeFeedBuilder changes() {
    return new KuduChangeFeedBuilder(client, this);
  }

  /** An insert; fails if the key exists. */
  public Insert newInsert() {
    return new Insert(this);
  }

  /** An insert that does nothing if the key exists. */
  public InsertIgnore newInsertIgnore() {
    return new InsertIgnore(this);
  }

  /** An upsert: an insert, or an update if the row exists. */
  public Upsert newUpsert() {
    return new Upsert(this);
  }

  /** An upsert that does not change immutable cells. */
  public UpsertIgnore newUpsertIgnore() {
    return new UpsertIgnore(this);
  }

  /** An update; fails if the row does not exist. */
  public Update newUpdate() {
    return new Update(this);
  }

  /** An update that does nothing if the row does not exist. */
  public UpdateIgnore newUpdateIgnore() {
    return new UpdateIgnore(this);
  }

  /** A delete; fails if the row does not exist. */
  public Delete newDelete() {
    return new Delete(this);
  }

  /** A delete that does nothing if the row does not exist. */
  public DeleteIgnore newDeleteIgnore() {
    return new DeleteIgnore(this);
  }

  /**
   * Looks up one row by its primary key, in one round trip to the leader of its tablet. Sees all
   * earlier writes of this client.
   *
   * @param key a row with all primary key columns set; other columns are ignored
   * @throws IllegalStateException if a primary key column is not set
   */
  public Optional<RowResult> get(PartialRow key) throws KuduException {
    return KuduClient.join(asyncGet(key));
  }

  /**
   * Looks up rows by their primary keys. The keys of one tablet are sent to its leader in requests
   * of up to 1000 keys. Apache Kudu's servers do not support these requests: with such servers each
   * row takes one request, of which 48 are in flight at a time.
   *
   * @return the rows in the order of the keys; empty for a key without a row
   */
  public List<Optional<RowResult>> getAll(List<PartialRow> keys) throws KuduException {
    return KuduClient.join(asyncGetAll(keys));
  }

  /** Like {@link #get}. */
  public CompletableFuture<Optional<RowResult>> asyncGet(PartialRow key) {
    return AsyncKuduClient.edge(lookup().get(lookupKey(key)));
  }

  /** Like {@link #getAll}. Fails if any of the rows cannot be read. */
  public CompletableFuture<List<Optional<RowResult>>> asyncGetAll(List<PartialRow> keys) {
    return AsyncKuduClient.edge(lookup().getAll(keys.stream().map(KuduTable::lookupKey).toList()));
  }

  private static LookupKey lookupKey(PartialRow key) {
    return new LookupKey(key.encodePrimaryKey(), new PartialRowCells(key));
  }

  private KeyLookup<RowResult> lookup() {
    KeyLookup<RowResult> known = lookup;
    if (known == null) {
      ScanDescription allRows =
          client.newScannerBuilder(this).readMode(ReadMode.READ_YOUR_WRITES).describe();
      known = new KeyLookup<>(allRows.scan(), rowFactory(allRows), client.looksUpOneByOne());
      lookup = known;
    }
    return known;
  }

  private static RowFactory<RowResult> rowFactory(ScanDescription described) {
    Schema projection = described.projection();
    CellLayout layout = new CellLayout(described.scan().query().projection());
    int[] kinds = RowResult.kinds(layout, projection.getColumnCount());
    return (batch, index) -> {
      RowResult row = RowResult.of(batch, projection, layout, kinds);
      row.moveTo(index);
      return row;
    };
  }

  /** All tablets with their current locations. */
  public CompletableFuture<List<LocatedTablet>> asyncGetTabletsLocations(long deadline) {
    return asyncGetTabletsLocations(null, null, deadline);
  }

  /**
   * The tablets of a range of partition keys with their current locations.
   *
   * @param startKey encoded partition key, inclusive; null for the first
   * @param endKey encoded partition key, exclusive; null for the last
   * @param deadline timeout in milliseconds
   */
  public CompletableFuture<List<LocatedTablet>> asyncGetTabletsLocations(
      byte[] startKey, byte[] endKey, long deadline) {
    return AsyncKuduClient.edge(
        tablets()
            .betweenAnew(
                startKey == null ? UNBOUNDED : startKey,
                endKey == null ? UNBOUNDED : endKey,
                Deadline.after(deadline))
            .thenApply(tablets -> tablets.stream().map(LocatedTablet::new).toList()));
  }

  /**
   * All tablets with their current locations.
   *
   * @param deadline timeout in milliseconds
   */
  public List<LocatedTablet> getTabletsLocations(long deadline) throws KuduException {
    return getTabletsLocations(null, null, deadline);
  }

  /** Like {@link #asyncGetTabletsLocations(byte[], byte[], long)}. */
  public List<LocatedTablet> getTabletsLocations(byte[] startKey, byte[] endKey, long deadline)
      throws KuduException {
    return KuduClient.join(asyncGetTabletsLocations(startKey, endKey, deadline));
  }

  /** The range partitions as text, like {@code 0 <= VALUES < 10}, in order. */
  public List<String> getFormattedRangePartitions(long timeout) throws KuduException {
    return formatted(timeout, this::formatRange);
  }

  /** The range partitions with their hash schemas, as text, in order. */
  public List<String> getFormattedRangePartitionsWithHashSchema(long timeout) throws KuduException {
    return formatted(timeout, partition -> formatRange(partition) + formatHashing(partition));
  }

  /** Formats each range partition; an empty list for a table without range columns. */
  private List<String> formatted(long timeout, Function<Partition, String> format)
      throws KuduException {
    return partitions.rangeColumnIds().isEmpty()
        ? List.of()
        : getRangePartitions(timeout).stream().map(format).toList();
  }

  /** The range of a partition as text, like {@code 0 <= VALUES < 10}. */
  public String formatRange(Partition partition) {
    return RangeText.of(partition.rangeBounds(), partitions, schema.toCommon());
  }

  /**
   * The hash schema of a partition as text. Empty if the range is unbounded, because such a range
   * is shown as if the table had no ranges.
   */
  private String formatHashing(Partition partition) {
    if (partition.rangeBounds().equals(RangeBounds.UNBOUNDED)) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    for (PartitionSchema.HashBucketSchema hashing : getHashSchema(partition)) {
      List<String> columns =
          hashing.getColumnIds().stream()
              .map(id -> schema.getColumnByIndex(schema.getColumnIndex(id)).getName())
              .toList();
      text.append(" HASH(")
          .append(String.join(", ", columns))
          .append(") PARTITIONS ")
          .append(hashing.getNumBuckets());
    }
    return text.toString();
  }

  /** The hash dimensions of a partition: those of its range, if it has its own. */
  public List<PartitionSchema.HashBucketSchema> getHashSchema(Partition partition) {
    return getPartitionSchema().getHashSchemaForRange(partition.getRangeKeyStart());
  }

  /**
   * The range partitions, in order. The tablet with the first bucket of every hash dimension
   * represents its range.
   */
  public List<Partition> getRangePartitions(long timeout) throws KuduException {
    return getTabletsLocations(timeout).stream()
        .map(LocatedTablet::getPartition)
        .filter(Partition::isFirstOfItsRange)
        .toList();
  }

  /** Whether the table has a range partition with exactly these bounds. */
  public boolean hasRangePartition(RangePartition range, long timeout) throws KuduException {
    RangeBounds bounds = range.bounds(partitions, schema.toCommon());
    return getRangePartitions(timeout).stream()
        .anyMatch(partition -> partition.rangeBounds().equals(bounds));
  }

  /** The range partitions that use the table's hash schema, in order. */
  public List<Partition> getRangePartitionsWithTableHashSchema(long timeout) throws KuduException {
    return getRangePartitions(timeout).stream()
        .filter(
            partition ->
                partitions.customRanges().stream()
                    .noneMatch(range -> range.bounds().equals(partition.rangeBounds())))
        .toList();
  }

  /**
   * The size of the table, as its servers last reported it to the master, and the statistics of its
   * columns.
   */
  public KuduTableStatistics getTableStatistics() throws KuduException {
    return KuduClient.join(client.getTableStatisticsById(tableId));
  }

  /**
   * Sets statistics of columns for query optimizers. The master keeps them in the table's metadata,
   * for all clients, until they are replaced or the column or the table is dropped. Statistics of
   * columns that are not in the map stay.
   *
   * @param statistics the statistics by the ids of the columns in the schema of this table; columns
   *     that were dropped since the table was opened are ignored
   * @throws KuduException NOT_SUPPORTED if the master is one of Apache Kudu's
   * @throws IllegalArgumentException if the schema has no such column, or an extreme is not a value
   *     of its column's type
   */
  public void setColumnStatistics(Map<Integer, KuduColumnStatistics> statistics)
      throws KuduException {
    List<ColumnStatisticsPB> columns = new ArrayList<>();
    statistics.forEach(
        (id, each) ->
            columns.add(
                ColumnStatisticsWire.toWire(
                    id, schema.getColumnByIndex(schema.getColumnIndex(id)), each)));
    KuduClient.join(client.setColumnStatistics(tableId, columns));
  }

  /**
   * Describes a flush and compaction of all replicas of this table, now. Superusers only. The
   * servers begin with the first {@link KuduCompaction#poll}.
   */
  public KuduCompaction compact() throws KuduException {
    return compact(tablet -> true);
  }

  /**
   * Like {@link #compact()}, of some tablets.
   *
   * @param tablets whether to compact the tablet with an id
   */
  public KuduCompaction compact(Predicate<String> tablets) throws KuduException {
    return KuduClient.join(
        AsyncKuduClient.edge(
            allTablets()
                .thenApply(
                    all ->
                        new KuduCompaction(
                            client.cluster(),
                            all.stream()
                                .filter(tablet -> tablets.test(tablet.tabletId()))
                                .toList()))));
  }

  CompletableFuture<List<RemoteTablet>> allTablets() {
    return tablets()
        .betweenAnew(
            UNBOUNDED, UNBOUNDED, Deadline.after(client.getDefaultAdminOperationTimeoutMs()));
  }

  /**
   * How much of each index of the table the servers have built, in the order of the creation of the
   * indexes; empty if there are none.
   *
   * @throws KuduException NOT_SUPPORTED if the master is one of Apache Kudu's
   */
  public List<KuduIndexProgress> getIndexProgress() throws KuduException {
    return KuduClient.join(client.getIndexProgress(tableId));
  }

  /**
   * Describes a comparison of all local indexes of this table with the rows, in all replicas.
   * Superusers only. The servers begin with the first {@link KuduIndexVerification#poll}. Global
   * indexes are compared by {@link #compareIndex}.
   */
  public KuduIndexVerification verifyIndexes() throws KuduException {
    return verifyIndexes("");
  }

  /**
   * Like {@link #verifyIndexes()}, of one index.
   *
   * @param index name
   */
  public KuduIndexVerification verifyIndexes(String index) throws KuduException {
    return KuduClient.join(
        AsyncKuduClient.edge(
            allTablets()
                .thenApply(all -> new KuduIndexVerification(client.cluster(), all, index))));
  }

  /**
   * Compares a global index with this table, at a current snapshot. Servers add up hashes of the
   * rows of both; rows that differ are then read. Table and index stay in use. Reads all rows of
   * both, at the leaders of their tablets, so it may take long. Of a {@linkplain
   * KuduIndex#uniqueGlobal unique} one, the rows are compared whose values must be claimed.
   *
   * @param index name
   * @throws KuduException NOT_FOUND if there is no such index; NOT_SUPPORTED if it is not global
   *     (see {@link #verifyIndexes(String)}); ILLEGAL_STATE unless it is READY
   */
  public KuduIndexComparison compareIndex(String index) throws KuduException {
    return compareIndex(index, AsyncKuduClient.NO_TIMESTAMP);
  }

  /**
   * Like {@link #compareIndex(String)}, at a snapshot in the past. An index has no snapshots from
   * before it was created, and like its table none that is older than the history that is kept.
   *
   * @param snapshotTimestamp hybrid time
   */
  public KuduIndexComparison compareIndex(String index, long snapshotTimestamp)
      throws KuduException {
    return new ReadyIndex(client, tableId, index).compare(snapshotTimestamp);
  }

  @Override
  public String toString() {
    return name + " (" + tableId + ")";
  }
}
