package dev.kudu4j.client;

import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.partition.PartitionKeyEncoder;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.row.RowCells;
import dev.kudu4j.common.wire.SchemaWire;
import java.util.ArrayDeque;
import java.util.List;

/**
 * What a session knows of a table that it writes to: how its rows find their tablets, and the
 * operations whose tablet is not known yet, in the order of their applying. While there are such,
 * later operations wait behind them, so that those of one row stay in order.
 *
 * <p>Guarded by the lock of its {@link WriteBuffer}.
 */
final class TableWriter {
  private final KuduTable table;
  private final TableTablets tablets;
  private final SchemaPB schema;
  private final PartitionKeyEncoder partitionKeys;
  private final KeyBuffer key = new KeyBuffer();
  private final Cells cells = new Cells();
  private final ArrayDeque<Operation> unlocated = new ArrayDeque<>();
  private boolean locating;
  private int setbacks;

  TableWriter(KuduTable table) {
    this.table = table;
    this.tablets = table.tablets();
    var schemaWithIds = table.getSchema().toCommon();
    this.schema = SchemaWire.toWire(schemaWithIds, false);
    int[] columns = new int[schemaWithIds.columnCount()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = i;
    }
    this.partitionKeys = new PartitionKeyEncoder(table.partitions(), schemaWithIds, columns);
  }

  KuduTable table() {
    return table;
  }

  TableTablets tablets() {
    return tablets;
  }

  /** The schema of the rows, as writes carry it. */
  SchemaPB schema() {
    return schema;
  }

  /**
   * Encodes the partition key of a row, for {@link #cachedTablet} and {@link #partitionKey}.
   *
   * @throws IllegalStateException when a column of it is not set
   */
  void encodePartitionKey(PartialRow row) {
    key.clear();
    cells.row = row;
    if (!partitionKeys.append(cells, key)) {
      throw new IllegalStateException(
          "A column of the partitioning of table "
              + table.getName()
              + " is not set in row "
              + row
              + "; set all key columns");
    }
  }

  /** The tablet of the key encoded last, or null when it is not known. */
  RemoteTablet cachedTablet() {
    return tablets.cached(key);
  }

  /** The key encoded last. */
  byte[] partitionKey() {
    return key.toByteArray();
  }

  ArrayDeque<Operation> unlocated() {
    return unlocated;
  }

  /** Puts operations that lost their tablet in front of those that wait for one. */
  void relocate(List<Operation> operations) {
    for (int i = operations.size() - 1; i >= 0; i--) {
      unlocated.addFirst(operations.get(i));
    }
  }

  /** Whether the master is being asked, or about to be. */
  boolean isLocating() {
    return locating;
  }

  void setLocating(boolean value) {
    locating = value;
  }

  /** How often in a row a tablet that was found turned out not to be there. */
  int countSetback() {
    return setbacks++;
  }

  void forgetSetbacks() {
    setbacks = 0;
  }

  boolean isIdle() {
    return unlocated.isEmpty() && !locating;
  }

  /** A row as key encoding sees it; one object for all rows. */
  private static final class Cells implements RowCells {
    private PartialRow row;

    @Override
    public boolean hasCell(int column) {
      return row.hasCell(column);
    }

    @Override
    public byte[] cellArray(int column) {
      return row.cellArray(column);
    }

    @Override
    public int cellOffset(int column) {
      return row.cellOffset(column);
    }

    @Override
    public int cellLength(int column) {
      return row.cellLength(column);
    }
  }
}
