package dev.kudu4j.tablet.scan;

import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.schema.Schema;
import java.util.List;

/**
 * What a scan wants.
 *
 * @param projection columns of the tablet, with ids, in any order; a column of type IS_DELETED is
 *     virtual; may be empty
 * @param predicates joined by AND; their columns carry ids and need not be projected
 * @param snapshot sees exactly the operations with a timestamp below
 * @param diffStart for a diff scan the start of the interval, else -1
 * @param lowerKey encoded, inclusive; null is open
 * @param upperKey encoded, exclusive; null is open
 * @param afterKey encoded; rows start strictly behind it; null when not resuming
 * @param ordered rows come in key order
 * @param wantLastKey the encoded key of the last row read is asked for, ordered or not
 * @param limit most rows, unsigned-safe: Long.MAX_VALUE when there is none
 * @param keys encoded, ascending, each once: no other rows are read; null for all. In no order and
 *     without an interval only
 * @param blockRows most rows of a block, which is the least that a call returns when all rows match
 */
public record ScanSpec(
    Schema projection,
    List<ColumnPredicate> predicates,
    long snapshot,
    long diffStart,
    byte[] lowerKey,
    byte[] upperKey,
    byte[] afterKey,
    boolean ordered,
    boolean wantLastKey,
    long limit,
    List<byte[]> keys,
    int blockRows) {
  /** In blocks of the usual size. */
  public ScanSpec(
      Schema projection,
      List<ColumnPredicate> predicates,
      long snapshot,
      long diffStart,
      byte[] lowerKey,
      byte[] upperKey,
      byte[] afterKey,
      boolean ordered,
      boolean wantLastKey,
      long limit,
      List<byte[]> keys) {
    this(
        projection,
        predicates,
        snapshot,
        diffStart,
        lowerKey,
        upperKey,
        afterKey,
        ordered,
        wantLastKey,
        limit,
        keys,
        Integer.MAX_VALUE);
  }

  /** Of all keys. */
  public ScanSpec(
      Schema projection,
      List<ColumnPredicate> predicates,
      long snapshot,
      long diffStart,
      byte[] lowerKey,
      byte[] upperKey,
      byte[] afterKey,
      boolean ordered,
      boolean wantLastKey,
      long limit) {
    this(
        projection,
        predicates,
        snapshot,
        diffStart,
        lowerKey,
        upperKey,
        afterKey,
        ordered,
        wantLastKey,
        limit,
        null);
  }

  /** The same rows, other columns. */
  public ScanSpec withProjection(Schema columns) {
    return with(columns, keys, blockRows);
  }

  /** The same columns, of these rows only. */
  public ScanSpec withKeys(List<byte[]> only) {
    return with(projection, only, blockRows);
  }

  /** The same rows, in blocks of no more than that. */
  public ScanSpec withBlockRows(int most) {
    return with(projection, keys, most);
  }

  private ScanSpec with(Schema columns, List<byte[]> only, int mostBlockRows) {
    return new ScanSpec(
        columns,
        predicates,
        snapshot,
        diffStart,
        lowerKey,
        upperKey,
        afterKey,
        ordered,
        wantLastKey,
        limit,
        only,
        mostBlockRows);
  }

  /** All rows of a snapshot. */
  public static ScanSpec of(Schema projection, long snapshot) {
    return new ScanSpec(
        projection, List.of(), snapshot, -1, null, null, null, false, false, Long.MAX_VALUE);
  }
}
