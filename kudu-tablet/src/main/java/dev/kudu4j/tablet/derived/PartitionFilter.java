package dev.kudu4j.tablet.derived;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionKeyEncoder;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.row.RowCells;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Accepts the rows of one partition of an index. Not thread-safe. */
public final class PartitionFilter implements DerivedRows.Filter {
  private final Partition partition;
  private final PartitionKeyEncoder encoder;
  private final BatchRow cells;
  private final KeyBuffer key = new KeyBuffer();

  /**
   * @param layout of the index
   * @param schema of its partitions, by ids of columns
   */
  public PartitionFilter(DerivedLayout layout, PartitionSchema schema, Partition partition) {
    this.partition = partition;
    int columns = layout.schema().columnCount();
    this.encoder =
        new PartitionKeyEncoder(schema, layout.schema(), IntStream.range(0, columns).toArray());
    this.cells = new BatchRow(columns);
  }

  @Override
  public boolean accepts(ColumnBatch rows, int row) {
    cells.set(rows, row);
    key.clear();
    return encoder.append(cells, key) && partition.contains(key);
  }

  /** A row of a batch; each column has an array of its own, which is used again for each row. */
  private static final class BatchRow implements RowCells {
    private static final int FIRST_CAPACITY = 16;

    private final byte[][] copies;
    private @Nullable ColumnBatch batch;
    private int row;

    BatchRow(int columns) {
      this.copies = new byte[columns][FIRST_CAPACITY];
    }

    void set(ColumnBatch rows, int row) {
      this.batch = rows;
      this.row = row;
    }

    private ColumnVector vector(int column) {
      assert batch != null : "the row is set";
      return batch.column(column);
    }

    @Override
    public boolean hasCell(int column) {
      return !vector(column).isNull(row);
    }

    @Override
    public byte[] cellArray(int column) {
      ColumnVector vector = vector(column);
      int length = vector.cellLength(row);
      if (length > copies[column].length) {
        copies[column] = new byte[Math.max(length, 2 * copies[column].length)];
      }
      Memory.copy(vector.cellAddress(row), copies[column], 0, length);
      return copies[column];
    }

    @Override
    public int cellOffset(int column) {
      return 0;
    }

    @Override
    public int cellLength(int column) {
      return vector(column).cellLength(row);
    }
  }
}
