package dev.kudu4j.spark.changes;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.KuduChange;
import dev.kudu4j.client.KuduChangeFeed;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.spark.type.InternalRows;
import dev.kudu4j.spark.type.SparkTypes;
import dev.kudu4j.util.HybridTimeUtil;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Reads the changes of one tablet between two times. */
final class ChangeReader implements PartitionReader<InternalRow> {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final UTF8String INSERT = UTF8String.fromString("insert");
  private static final UTF8String BEFORE = UTF8String.fromString("update_preimage");
  private static final UTF8String AFTER = UTF8String.fromString("update_postimage");
  private static final UTF8String DELETE = UTF8String.fromString("delete");

  private final String table; // for messages
  private final KuduChangeFeed feed;
  private final Deque<InternalRow> rows = new ArrayDeque<>();
  private InternalRow row;

  private ChangeReader(String table, ChangeSplit split) {
    this.table = table;
    try {
      KuduTable opened = split.connection().client().openTableById(split.tableId());
      checkColumns(opened, split);
      this.feed =
          opened
              .changes()
              .tablets(List.of(split.tablet()))
              .fromSnapshot(split.from())
              .until(split.until())
              .batchSizeBytes(split.batchBytes())
              .replicaSelection(split.replicas())
              .build();
    } catch (KuduException e) {
      throw ChangeSource.failure(table, e);
    }
  }

  /** Cells are read by position, so the columns must be those of the query. */
  private void checkColumns(KuduTable opened, ChangeSplit split) {
    StructType now = SparkTypes.rowType(opened.getSchema().getColumns());
    if (!now.equals(split.schema())) {
      throw new IllegalStateException(
          "The columns of table "
              + table
              + " were changed to "
              + now.simpleString()
              + "; start the query again, from a new DataFrame");
    }
  }

  /**
   * @param table for messages
   */
  static PartitionReaderFactory factory(String table) {
    return new Factory(table);
  }

  private record Factory(String table) implements PartitionReaderFactory {
    @Override
    public PartitionReader<InternalRow> createReader(InputPartition split) {
      return new ChangeReader(table, (ChangeSplit) split);
    }
  }

  @Override
  public boolean next() {
    try {
      while (rows.isEmpty() && !feed.isOver()) {
        feed.poll(POLL).forEach(this::add);
      }
    } catch (KuduException e) {
      throw ChangeSource.failure(table, e);
    }
    row = rows.poll();
    return row != null;
  }

  private void add(KuduChange change) {
    switch (change.type()) {
      case INSERT -> add(INSERT, change, change.row());
      case DELETE -> add(DELETE, change, change.row());
      case UPDATE -> {
        add(BEFORE, change, change.before().orElseThrow());
        add(AFTER, change, change.after().orElseThrow());
      }
    }
  }

  private void add(UTF8String type, KuduChange change, RowResult cells) {
    List<ColumnSchema> columns = feed.getSchema().getColumns();
    Object[] values = new Object[ChangeColumns.OWN + columns.size()];
    values[0] = type;
    values[1] = change.timestamp();
    values[2] = HybridTimeUtil.HTTimestampToPhysicalAndLogical(change.timestamp())[0];
    for (int i = 0; i < columns.size(); i++) {
      values[ChangeColumns.OWN + i] =
          cells.isNull(i)
              ? null
              : InternalRows.cell(cells, i, SparkTypes.valueType(columns.get(i)));
    }
    rows.add(InternalRows.of(values));
  }

  @Override
  public InternalRow get() {
    return row;
  }

  @Override
  public void close() {
    rows.clear();
  }
}
