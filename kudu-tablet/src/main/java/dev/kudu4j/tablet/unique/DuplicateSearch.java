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
 * Searches the rows of a tablet for two that have equal values of an index. Reads the indexed
 * columns once or several times, with bounded memory: each pass sorts the hashes of some values,
 * and only if two are equal the values themselves are compared.
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
  private final int maxHashes;

  /** Opens scans of the tablet. */
  public interface Rows {
    /** A scan of all rows as they are now. */
    TabletScanner scan(Schema projection) throws IOException;
  }

  /** Receives the values of rows. */
  private interface Visitor {
    void visit(IndexValue value);
  }

  private DuplicateSearch(
      Rows rows, BufferAllocator allocator, IndexDefinition index, Schema table, int maxHashes) {
    this.rows = rows;
    this.allocator = allocator;
    this.index = index;
    this.table = table;
    this.indexed =
        new Schema(
            index.columns().stream()
                .map(id -> table.column(table.indexOfId(id)).toBuilder().key(false).build())
                .toList());
    this.value = new IndexValue(indexed.columns().stream().map(ColumnSchema::type).toList());
    this.maxHashes = maxHashes;
  }

  /**
   * Returns a description of two equal rows; empty if there are none.
   *
   * @param table the tablet's schema
   * @param rowCount about how many rows there are
   * @param redacted whether to hide cell values
   */
  public static String run(
      Rows rows,
      BufferAllocator allocator,
      IndexDefinition index,
      Schema table,
      long rowCount,
      boolean redacted)
      throws IOException {
    return run(rows, allocator, index, table, rowCount, redacted, MAX_HASHES);
  }

  static String run(
      Rows rows,
      BufferAllocator allocator,
      IndexDefinition index,
      Schema table,
      long rowCount,
      boolean redacted,
      int maxHashes)
      throws IOException {
    return new DuplicateSearch(rows, allocator, index, table, maxHashes).run(rowCount, redacted);
  }

  private String run(long rowCount, boolean redacted) throws IOException {
    int passes = Math.toIntExact(1 + rowCount / maxHashes);
    for (int pass = 0; pass < passes; pass++) {
      byte[] found = compare(equalHashes(pass, passes));
      if (found.length > 0) {
        return "more than one row has the value "
            + KeyText.of(table, index.columns(), found, redacted);
      }
    }
    return "";
  }

  /** Some of the hashes that several values have. */
  private Set<Long> equalHashes(int pass, int passes) throws IOException {
    long[][] hashes = {new long[1024]};
    int[] count = {0};
    forEach(
        one -> {
          long hash = one.hash();
          if ((int) ((((int) hash & 0xffff_ffffL) * passes) >>> 32) == pass) {
            if (count[0] == hashes[0].length) {
              hashes[0] = Arrays.copyOf(hashes[0], 2 * count[0]);
            }
            hashes[0][count[0]++] = hash;
          }
        });
    Arrays.sort(hashes[0], 0, count[0]);
    Set<Long> equal = new HashSet<>();
    for (int i = 1; i < count[0] && equal.size() < MAX_SUSPECTS; i++) {
      if (hashes[0][i] == hashes[0][i - 1]) {
        equal.add(hashes[0][i]);
      }
    }
    return equal;
  }

  /** A value with one of the hashes that two rows have; empty if there is none. */
  private byte[] compare(Set<Long> hashes) throws IOException {
    byte[][] found = {{}};
    Set<ByteBuffer> seen = new HashSet<>();
    if (!hashes.isEmpty()) {
      forEach(
          one -> {
            if (hashes.contains(one.hash()) && !seen.add(ByteBuffer.wrap(one.toByteArray()))) {
              found[0] = one.toByteArray();
            }
          });
    }
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
