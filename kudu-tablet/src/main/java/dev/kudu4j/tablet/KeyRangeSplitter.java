package dev.kudu4j.tablet;

import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.RowSetKeyCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a key range into pieces of about equal size on disk, based on evenly spaced sample keys of
 * each rowset. The result is an estimate: in-memory data and deltas are ignored.
 */
final class KeyRangeSplitter {
  private static final int MAX_SAMPLES = 64;

  private final Components components;
  private final int[] columnIds;

  KeyRangeSplitter(Components components, int[] columnIds) {
    this.components = components;
    this.columnIds = columnIds;
  }

  /**
   * A key of a rowset, and the estimated size of the rowset's rows from this key to the next
   * sample.
   */
  private record Sample(byte[] key, double bytes) {}

  List<byte[]> split(byte @Nullable [] lowerKey, byte @Nullable [] upperKey, long targetBytes)
      throws IOException {
    List<Sample> samples = new ArrayList<>();
    for (DiskRowSet rowSet : components.rowSets()) {
      sample(rowSet.base(), lowerKey, upperKey, Math.max(1, targetBytes), samples);
    }
    samples.sort(Comparator.comparing(Sample::key, Arrays::compareUnsigned));
    List<byte[]> borders = new ArrayList<>();
    double bytes = 0;
    byte[] last = lowerKey == null ? new byte[0] : lowerKey;
    for (Sample sample : samples) {
      if (bytes >= targetBytes && Arrays.compareUnsigned(sample.key(), last) > 0) {
        borders.add(sample.key());
        last = sample.key();
        bytes = 0;
      }
      bytes += sample.bytes();
    }
    return borders;
  }

  private void sample(
      BaseData base,
      byte @Nullable [] lowerKey,
      byte @Nullable [] upperKey,
      long targetBytes,
      List<Sample> out)
      throws IOException {
    long first = lowerKey == null ? 0 : base.lowerBound(lowerKey, 0, lowerKey.length);
    long end = upperKey == null ? base.rowCount() : base.lowerBound(upperKey, 0, upperKey.length);
    if (first >= end) {
      return;
    }
    double rowBytes = (double) selectedColumnBytes(base) / base.rowCount();
    double rangeBytes = rowBytes * (end - first);
    long targetSamples = Math.min(MAX_SAMPLES, 1 + (long) (4 * rangeBytes / targetBytes));
    long samples = Math.min(end - first, targetSamples);
    try (RowSetKeyCursor keys = base.openKeys()) {
      for (long i = 0; i < samples; i++) {
        keys.seek(first + i * (end - first) / samples);
        out.add(new Sample(Arrays.copyOf(keys.keyArray(), keys.keyLength()), rangeBytes / samples));
      }
    }
  }

  /**
   * The estimated size of the columns {@code columnIds} in the base data. The estimate assumes that
   * all columns of the schema have the same size.
   */
  private long selectedColumnBytes(BaseData base) {
    if (columnIds.length == 0) {
      return base.fileBytes();
    }
    int all = components.schema().columnCount();
    int present = 0;
    for (int id : columnIds) {
      present += base.hasColumn(id) ? 1 : 0;
    }
    return Math.max(1, base.fileBytes() * present / all);
  }
}
