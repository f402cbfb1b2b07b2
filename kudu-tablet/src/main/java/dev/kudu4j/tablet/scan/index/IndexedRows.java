package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.tablet.index.IndexFile;

/** How a scan reads the rows of a rowset that an index has found. */
public sealed interface IndexedRows {
  /**
   * The rows are read from base data.
   *
   * @param ordinals ascending
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Listed(long[] ordinals) implements IndexedRows {}

  /**
   * The index contains all columns of the scan, so its entries are read instead of the rows, except
   * those of changed rows.
   *
   * @param ranges the first entry and the end of each range, ascending
   * @param changed the ordinals of rows whose cells or liveness may differ from the entries,
   *     ascending; these are read from base data
   * @param from the first ordinal that the scan wants
   * @param to behind the last one
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entries(IndexFile file, long[] ranges, long[] changed, long from, long to)
      implements IndexedRows {
    /** The number of entries in the ranges. */
    public long count() {
      long count = 0;
      for (int i = 0; i < ranges.length; i += 2) {
        count += ranges[i + 1] - ranges[i];
      }
      return count;
    }
  }
}
