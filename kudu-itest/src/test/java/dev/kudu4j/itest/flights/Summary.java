package dev.kudu4j.itest.flights;

import java.util.Arrays;
import java.util.List;

/**
 * Rows, and per column: nulls, sum, minimum, maximum. For text, hashes are summed. Summaries of the
 * CSV and of a scan are comparable.
 */
public final class Summary {
  private long rows;
  private final long[] nulls = new long[Flights.COLUMNS.size()];
  private final long[] sums = new long[Flights.COLUMNS.size()];
  private final Object[] minimums = new Object[Flights.COLUMNS.size()];
  private final Object[] maximums = new Object[Flights.COLUMNS.size()];

  public static Summary of(List<Object[]> rows) {
    Summary summary = new Summary();
    rows.forEach(summary::add);
    return summary;
  }

  @SuppressWarnings("unchecked")
  public void add(Object[] row) {
    rows++;
    for (int i = 0; i < row.length; i++) {
      if (row[i] == null) {
        nulls[i]++;
        continue;
      }
      // All are whole numbers, delays too: sums do not depend on the order of rows.
      sums[i] += row[i] instanceof Number number ? number.longValue() : row[i].hashCode();
      Comparable<Object> value = (Comparable<Object>) row[i];
      if (minimums[i] == null || value.compareTo(minimums[i]) < 0) {
        minimums[i] = value;
      }
      if (maximums[i] == null || value.compareTo(maximums[i]) > 0) {
        maximums[i] = value;
      }
    }
  }

  public long rows() {
    return rows;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Summary that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  @Override
  public String toString() {
    return rows
        + " rows\n nulls "
        + Arrays.toString(nulls)
        + "\n sums "
        + Arrays.toString(sums)
        + "\n min "
        + Arrays.toString(minimums)
        + "\n max "
        + Arrays.toString(maximums);
  }
}
