package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.RowKeyEncoder;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.row.ArrayCells;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;

/** Reads rows of a tablet, as they are now, by their primary keys: some of their columns. */
final class RowsByKey {
  private static final long BATCH_BYTES = 1 << 20;

  private final Tablet tablet;
  private final BufferAllocator allocator;
  private final Schema projection;
  private final int keyColumns;
  private final RowKeyEncoder keys;

  /**
   * A row.
   *
   * @param key encoded
   * @param cells of the columns, in cell form; null for NULL
   */
  record Row(ByteString key, byte[][] cells) {}

  /**
   * @param columnIds columns of the rows, besides the key
   * @param allocator borrowed; no memory is held between calls
   */
  RowsByKey(Tablet tablet, Schema schema, List<Integer> columnIds, BufferAllocator allocator) {
    this.tablet = tablet;
    this.allocator = allocator;
    this.keyColumns = schema.keyColumnCount();
    List<ColumnSchema> columns = new ArrayList<>(schema.columns().subList(0, keyColumns));
    columnIds.stream()
        .map(id -> schema.column(schema.indexOfId(id)))
        .filter(column -> !column.isKey())
        .forEach(columns::add);
    this.projection = new Schema(columns);
    this.keys = RowKeyEncoder.ofPrimaryKey(schema, IntStream.range(0, keyColumns).toArray());
  }

  /** The columns that are read: the key, then the others. */
  Schema projection() {
    return projection;
  }

  /** The rows that exist. */
  Map<ByteString, Row> read(Collection<ByteString> wanted) {
    if (wanted.isEmpty()) {
      return Map.of();
    }
    List<byte[]> sorted =
        wanted.stream()
            .distinct()
            .map(ByteString::toByteArray)
            .sorted(Arrays::compareUnsigned)
            .toList();
    Map<ByteString, Row> found = new HashMap<>();
    ScanSpec spec = ScanSpec.of(projection, tablet.latestSnapshot()).withKeys(sorted);
    try (TabletScanner scanner = tablet.scan(spec);
        ColumnBatch batch = new ColumnBatch(allocator, projection)) {
      boolean more = true;
      while (more) {
        batch.clear();
        more = scanner.next(batch, BATCH_BYTES);
        rows(batch).forEach(row -> found.put(row.key(), row));
      }
    } catch (IOException e) {
      throw KuduException.ioError(
          e,
          "Rows of tablet %s cannot be read: %s",
          tablet.descriptor().tabletId(),
          String.valueOf(e.getMessage()));
    }
    return found;
  }

  /** The rows of a batch with the {@link #projection}. */
  List<Row> rows(ColumnBatch batch) {
    List<Row> rows = new ArrayList<>(batch.rowCount());
    KeyBuffer key = new KeyBuffer();
    for (int row = 0; row < batch.rowCount(); row++) {
      byte[][] cells = new byte[projection.columnCount()][];
      for (int column = 0; column < cells.length; column++) {
        cells[column] = cell(batch.column(column), row);
      }
      key.clear();
      keys.append(new ArrayCells(cells), key);
      rows.add(new Row(ByteString.copyFrom(key.array(), 0, key.length()), cells));
    }
    return rows;
  }

  @SuppressWarnings("NullAway") // NULL is null
  private static byte[] cell(ColumnVector column, int row) {
    if (column.isNull(row)) {
      return null;
    }
    byte[] cell = new byte[column.cellLength(row)];
    Memory.copy(column.cellAddress(row), cell, 0, cell.length);
    return cell;
  }
}
