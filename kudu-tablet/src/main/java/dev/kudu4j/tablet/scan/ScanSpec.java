package dev.kudu4j.tablet.scan;

import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.scan.index.IndexHint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a scan.
 *
 * @param projection columns of the tablet, with ids, in any order; a column of type IS_DELETED is
 *     virtual; may be empty. Ignored if there is an aggregation
 * @param predicates joined by AND; their columns have ids and need not be projected
 * @param snapshot the scan sees exactly the operations with a timestamp below it
 * @param diffStart the start timestamp of a diff scan; -1 for any other scan
 * @param lowerKey encoded, inclusive; null is open
 * @param upperKey encoded, exclusive; null is open
 * @param afterKey encoded; the scan resumes strictly after it; null for a new scan
 * @param ordered whether rows are returned in key order
 * @param wantLastKey whether the caller needs the encoded key of the last appended row, also in an
 *     unordered scan
 * @param limit the maximum number of rows; Long.MAX_VALUE for no limit
 * @param keys encoded, ascending, distinct: the scan reads only these rows; null for all rows. Not
 *     allowed in ordered and diff scans
 * @param blockRows the maximum number of rows of a block. A call reads whole blocks, so a smaller
 *     value allows smaller batches
 * @param condition a filter in addition to the predicates; null for none
 * @param aggregation the scan returns groups with {@link Aggregation#resultColumns} instead of
 *     rows; null for rows. Not allowed in ordered and diff scans, and with a limit
 * @param top the scan may return only the first rows in an order, by projected columns; null to
 *     return all rows. Not allowed in ordered and diff scans, with a limit and an aggregation
 * @param indexHint which indexes the scan may use; the result is the same
 */
public record ScanSpec(
    Schema projection,
    List<ColumnPredicate> predicates,
    long snapshot,
    long diffStart,
    byte @Nullable [] lowerKey,
    byte @Nullable [] upperKey,
    byte @Nullable [] afterKey,
    boolean ordered,
    boolean wantLastKey,
    long limit,
    @Nullable List<byte[]> keys,
    int blockRows,
    @Nullable Condition condition,
    @Nullable Aggregation aggregation,
    @Nullable TopN top,
    IndexHint indexHint) {
  /** A scan with blocks of the default size, without a condition, an aggregation and an order. */
  public ScanSpec(
      Schema projection,
      List<ColumnPredicate> predicates,
      long snapshot,
      long diffStart,
      byte @Nullable [] lowerKey,
      byte @Nullable [] upperKey,
      byte @Nullable [] afterKey,
      boolean ordered,
      boolean wantLastKey,
      long limit,
      @Nullable List<byte[]> keys) {
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
        Integer.MAX_VALUE,
        null,
        null,
        null,
        IndexHint.CHOSEN);
  }

  /** A scan that is not restricted to a list of keys. */
  public ScanSpec(
      Schema projection,
      List<ColumnPredicate> predicates,
      long snapshot,
      long diffStart,
      byte @Nullable [] lowerKey,
      byte @Nullable [] upperKey,
      byte @Nullable [] afterKey,
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

  /** The columns that the scan returns, or that its aggregation reads. */
  Schema columnsRead() {
    return aggregation == null ? projection : aggregation.columns();
  }

  /** Whether all rows are read before the first result is returned. */
  public boolean collects() {
    return aggregation != null || top != null;
  }

  /** A copy that reads only the rows with the given keys. */
  public ScanSpec withKeys(@Nullable List<byte[]> only) {
    return with(only, blockRows, condition, aggregation, top, indexHint);
  }

  /** A copy with blocks of at most {@code max} rows. */
  public ScanSpec withBlockRows(int max) {
    return with(keys, max, condition, aggregation, top, indexHint);
  }

  /** A copy with another condition. */
  public ScanSpec withCondition(@Nullable Condition filter) {
    return with(keys, blockRows, filter, aggregation, top, indexHint);
  }

  /** A copy that returns groups instead of rows. */
  public ScanSpec withAggregation(Aggregation groups) {
    return with(keys, blockRows, condition, groups, top, indexHint);
  }

  /** A copy that may return only the first rows in an order. */
  public ScanSpec withTop(@Nullable TopN first) {
    return with(keys, blockRows, condition, aggregation, first, indexHint);
  }

  /** A copy that uses other indexes. */
  public ScanSpec withIndexHint(IndexHint hint) {
    return with(keys, blockRows, condition, aggregation, top, hint);
  }

  private ScanSpec with(
      @Nullable List<byte[]> only,
      int maxBlockRows,
      @Nullable Condition filter,
      @Nullable Aggregation groups,
      @Nullable TopN first,
      IndexHint hint) {
    return new ScanSpec(
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
        only,
        maxBlockRows,
        filter,
        groups,
        first,
        hint);
  }

  /** A scan of all rows at a snapshot. */
  public static ScanSpec of(Schema projection, long snapshot) {
    return new ScanSpec(
        projection, List.of(), snapshot, -1, null, null, null, false, false, Long.MAX_VALUE);
  }
}
