package dev.kudu4j.tablet.unique;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.predicate.KeyText;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.index.IndexValue;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Searches the rows of a tablet for two that have equal values of an index, in one or several
 * passes. Each pass reads the indexed columns of all rows, sorts the hashes of its share of the
 * values, about {@value #MAX_HASHES} of them, and compares values only if two hashes are equal.
 *
 * <p>Each pass may read another snapshot. If writes are checked meanwhile, two rows that are equal
 * at the beginning are found unless one of them changes, and no others become equal.
 */
public final class DuplicateSearch {
  private static final int MAX_HASHES = 4 << 20;
  private static final int MAX_SUSPECTS = 1000;
  private static final long BATCH_BYTES = 1 << 20;

  private final Rows rows;
  private final BufferAllocator allocator;
  private final IndexDefinition index;
  private final Schema table;
  private final Schema indexed;
  private final IndexValue value;
  private final int passes;

  /** Opens scans of the tablet. */
  public interface Rows {
    /** A scan of all rows as they are now. */
    TabletScanner scan(Schema projection) throws IOException;
  }

  /** Receives the values of rows. */
  private interface Visitor {
    void visit(IndexValue value);
  }

  /**
   * A search of one index.
   *
   * @param table the tablet's schema
   * @param rowCount about how many rows there are
   */
  public DuplicateSearch(
      Rows rows, BufferAllocator allocator, IndexDefinition index, Schema table, long rowCount) {
    this(rows, allocator, index, table, Math.toIntExact(1 + rowCount / MAX_HASHES));
  }

  DuplicateSearch(
      Rows rows, BufferAllocator allocator, IndexDefinition index, Schema table, int passes) {
    this.rows = rows;
    this.allocator = allocator;
    this.index = index;
    this.table = table;
    this.indexed = IndexValue.columns(index, table);
    this.value = new IndexValue(indexed.columns().stream().map(ColumnSchema::type).toList());
    this.passes = passes;
  }

  /** The number of passes. */
  public int passes() {
    return passes;
  }

  /**
   * Makes a pass and returns a description of two equal rows; empty if it has found none.
   *
   * @param pass from 0
   * @param redacted whether to hide cell values
   */
  public String run(int pass, boolean redacted) throws IOException {
    long[] suspects = equalHashes(pass);
    for (int from = 0; from < suspects.length; from += MAX_SUSPECTS) {
      int to = Math.min(suspects.length, from + MAX_SUSPECTS);
      byte[] found = compare(Arrays.copyOfRange(suspects, from, to));
      if (found.length > 0) {
        return "more than one row has the value "
            + KeyText.of(table, index.columns(), found, redacted);
      }
    }
    return "";
  }

  /** The hashes of the share that several values have. */
  private long[] equalHashes(int pass) throws IOException {
    long[][] hashes = {new long[1024]};
    int[] count = {0};
    forEach(
        one -> {
          long hash = one.hash();
          if ((int) (((hash & 0xffff_ffffL) * passes) >>> 32) == pass) {
            if (count[0] == hashes[0].length) {
              hashes[0] = Arrays.copyOf(hashes[0], 2 * count[0]);
            }
            hashes[0][count[0]++] = hash;
          }
        });
    long[] sorted = hashes[0];
    Arrays.sort(sorted, 0, count[0]);
    int equal = 0;
    for (int i = 1; i < count[0]; i++) {
      boolean isNew = equal == 0 || sorted[equal - 1] != sorted[i];
      if (sorted[i] == sorted[i - 1] && isNew) {
        sorted[equal++] = sorted[i];
      }
    }
    return Arrays.copyOf(sorted, equal);
  }

  /** A value with one of the hashes that two rows have; empty if there is none. */
  private byte[] compare(long[] sortedHashes) throws IOException {
    byte[][] found = {{}};
    Set<ByteBuffer> seen = new HashSet<>();
    forEach(
        one -> {
          if (Arrays.binarySearch(sortedHashes, one.hash()) >= 0
              && !seen.add(ByteBuffer.wrap(one.toByteArray()))) {
            found[0] = one.toByteArray();
          }
        });
    return found[0];
  }

  private void forEach(Visitor visitor) throws IOException {
    try (TabletScanner scanner = rows.scan(indexed);
        ColumnBatch batch = new ColumnBatch(allocator, indexed)) {
      List<ColumnVector> cells =
          IntStream.range(0, indexed.columnCount()).mapToObj(batch::column).toList();
      boolean more = true;
      while (more) {
        batch.clear();
        more = scanner.next(batch, BATCH_BYTES);
        for (int row = 0; row < batch.rowCount(); row++) {
          value.set(cells, row);
          if (value.isComplete()) {
            visitor.visit(value);
          }
        }
      }
    }
  }
}
