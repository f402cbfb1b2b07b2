package dev.kudu4j.benchmarks.ycsb.ours;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.ycsb.BindingOptions;
import dev.kudu4j.client.AbstractKuduScannerBuilder;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteIterator;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** YCSB's table: a key and text fields. For one thread. */
final class UserTable {
  static final String KEY = "key";
  private static final Object CREATION = new Object();

  private final KuduClient client;
  private final BindingOptions options;
  private final KuduTable table;
  private final Schema schema;
  private final ColumnSchema key;
  private final List<String> allFields = new ArrayList<>();
  private final boolean hashed;

  private UserTable(KuduClient client, BindingOptions options, KuduTable table) {
    this.client = client;
    this.options = options;
    this.table = table;
    this.schema = table.getSchema();
    this.key = schema.getColumn(KEY);
    for (ColumnSchema column : schema.getColumns()) {
      if (!column.getName().equals(KEY)) {
        allFields.add(column.getName());
      }
    }
    this.hashed = !table.getPartitionSchema().getHashBucketSchemas().isEmpty();
  }

  static UserTable open(KuduClient client, BindingOptions options, String name)
      throws KuduException {
    return new UserTable(client, options, client.openTable(name));
  }

  /**
   * Opens the table, and creates it before if necessary. Several threads and processes may call
   * this at the same time: one of them creates the table.
   */
  static UserTable openOrCreate(KuduClient client, BindingOptions options) throws KuduException {
    synchronized (CREATION) {
      if (options.createTable() && !client.tableExists(options.table())) {
        create(client, options);
      }
    }
    return open(client, options, options.table());
  }

  private static void create(KuduClient client, BindingOptions options) throws KuduException {
    try {
      Schema schema = schema(options);
      client.createTable(options.table(), schema, partitioning(options, schema));
    } catch (KuduException e) {
      if (!e.getStatus().isAlreadyPresent()) { // otherwise another process was first
        throw e;
      }
    }
  }

  private static Schema schema(BindingOptions options) {
    List<ColumnSchema> columns = new ArrayList<>();
    columns.add(column(KEY, options).key(true).build());
    for (String field : options.fields()) {
      columns.add(column(field, options).nullable(true).build());
    }
    return new Schema(columns);
  }

  private static ColumnSchema.ColumnSchemaBuilder column(String name, BindingOptions options) {
    ColumnSchema.ColumnSchemaBuilder column =
        new ColumnSchema.ColumnSchemaBuilder(name, Type.STRING);
    options.blockSize().ifPresent(column::desiredBlockSize);
    return column;
  }

  private static CreateTableOptions partitioning(BindingOptions options, Schema schema) {
    CreateTableOptions partitioning = new CreateTableOptions();
    options.replicas().ifPresent(partitioning::setNumReplicas);
    if (options.hashPartitions() > 1) {
      partitioning.addHashPartitions(List.of(KEY), options.hashPartitions());
    }
    boolean ranges = !options.rangeSplits().isEmpty();
    partitioning.setRangePartitionColumns(ranges ? List.of(KEY) : List.of());
    for (String split : options.rangeSplits()) {
      PartialRow row = schema.newPartialRow();
      row.addString(KEY, split);
      partitioning.addSplitRow(row);
    }
    return partitioning;
  }

  String name() {
    return table.getName();
  }

  Operation newInsert() {
    return table.newInsert();
  }

  Operation newUpsert() {
    return table.newUpsert();
  }

  Operation newUpdate() {
    return table.newUpdate();
  }

  Operation newDelete() {
    return table.newDelete();
  }

  void fill(PartialRow row, String keyValue, Map<String, ByteIterator> values) {
    row.addString(KEY, keyValue);
    for (Map.Entry<String, ByteIterator> value : values.entrySet()) {
      int column = schema.getColumnIndex(value.getKey());
      if (value.getValue() instanceof StringByteIterator text) {
        row.addString(column, text.toString()); // toArray() of this class does not return UTF-8
      } else {
        row.addStringUtf8(column, value.getValue().toArray());
      }
    }
  }

  Status read(String keyValue, Set<String> fields, Map<String, ByteIterator> result)
      throws KuduException {
    KuduScanner scanner =
        narrow(client.newScannerBuilder(table), ComparisonOp.EQUAL, keyValue, 1, fields(fields))
            .build();
    boolean found = false;
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        copy(row, 0, result);
        found = true;
      }
    }
    scanner.close();
    return found ? Status.OK : Status.NOT_FOUND;
  }

  Status scan(
      String startKey, int count, Set<String> fields, List<HashMap<String, ByteIterator>> result)
      throws KuduException {
    if (options.scanInKeyOrder() && hashed) {
      scanAllBuckets(startKey, count, fields, result);
      return Status.OK;
    }
    KuduScanner scanner =
        narrow(
                client.newScannerBuilder(table),
                ComparisonOp.GREATER_EQUAL,
                startKey,
                count,
                fields(fields))
            .setFaultTolerant(options.scanInKeyOrder()) // Kudu calls key order fault-tolerant
            .build();
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        HashMap<String, ByteIterator> record = new HashMap<>();
        copy(row, 0, record);
        result.add(record);
      }
    }
    scanner.close();
    return Status.OK;
  }

  /**
   * Scans a table that is hashed by key, so that adjacent keys are in different tablets: reads the
   * first {@code count} records of each tablet, sorts them, and returns the first {@code count} of
   * all.
   */
  private void scanAllBuckets(
      String startKey, int count, Set<String> fields, List<HashMap<String, ByteIterator>> result)
      throws KuduException {
    List<String> projection = new ArrayList<>(List.of(KEY));
    projection.addAll(fields(fields));
    List<KuduScanToken> tablets =
        narrow(
                client.newScanTokenBuilder(table),
                ComparisonOp.GREATER_EQUAL,
                startKey,
                count,
                projection)
            .setFaultTolerant(true)
            .build();
    List<Found> found = new ArrayList<>();
    for (KuduScanToken tablet : tablets) {
      KuduScanner scanner = open(tablet);
      while (scanner.hasMoreRows()) {
        for (RowResult row : scanner.nextRows()) {
          HashMap<String, ByteIterator> record = new HashMap<>();
          copy(row, 1, record);
          found.add(new Found(row.getString(0), record));
        }
      }
      scanner.close();
    }
    found.sort(Comparator.comparing(Found::key));
    for (Found one : found.subList(0, Math.min(count, found.size()))) {
      result.add(one.record());
    }
  }

  private record Found(String key, HashMap<String, ByteIterator> record) {}

  private KuduScanner open(KuduScanToken tablet) throws KuduException {
    try {
      return tablet.intoScanner(client);
    } catch (KuduException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private <B extends AbstractKuduScannerBuilder<? super B, T>, T> B narrow(
      B builder, ComparisonOp comparison, String keyValue, int limit, List<String> projection) {
    builder.setProjectedColumnNames(projection);
    builder.addPredicate(KuduPredicate.newComparisonPredicate(key, comparison, keyValue));
    builder.limit(limit);
    builder.readMode(ReadMode.valueOf(options.readMode().name()));
    return builder;
  }

  private List<String> fields(Set<String> wanted) {
    return wanted == null ? allFields : new ArrayList<>(wanted);
  }

  private static void copy(RowResult row, int firstField, Map<String, ByteIterator> record) {
    Schema projection = row.getSchema();
    for (int i = firstField; i < projection.getColumnCount(); i++) {
      if (!row.isNull(i)) {
        record.put(
            projection.getColumnByIndex(i).getName(), new StringByteIterator(row.getString(i)));
      }
    }
  }
}
