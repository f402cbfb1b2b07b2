package dev.kudu4j.client.scan;

import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * Determines which tablets must be read in parallel to get their rows in primary key order.
 *
 * <p>If the range columns are the first columns of the primary key, ranges are in key order, and
 * only the keys of one range's hash buckets overlap. Otherwise the keys of all tablets overlap.
 * Pure functions.
 */
public final class KeyOrder {
  private KeyOrder() {}

  /** The tablets in groups; each group is read to its end before the next one. */
  public static List<List<RemoteTablet>> groups(
      Schema table, PartitionSchema partitions, List<RemoteTablet> tablets) {
    if (tablets.isEmpty()) {
      return List.of();
    }
    if (!rangesFollowKeys(table, partitions)) {
      return List.of(tablets);
    }
    TreeMap<byte[], List<RemoteTablet>> ranges = new TreeMap<>(Arrays::compareUnsigned);
    for (RemoteTablet tablet : tablets) {
      byte[] start = tablet.partition().rangeBounds().lower();
      ranges.computeIfAbsent(start, key -> new ArrayList<>()).add(tablet);
    }
    return List.copyOf(ranges.values());
  }

  /** Whether the range columns are the first ones of the primary key, in its order. */
  static boolean rangesFollowKeys(Schema table, PartitionSchema partitions) {
    List<ColumnSchema> ranges = partitions.rangeColumns(table);
    List<ColumnSchema> key = table.columns().subList(0, table.keyColumnCount());
    return !ranges.isEmpty()
        && ranges.size() <= key.size()
        && ranges.equals(key.subList(0, ranges.size()));
  }
}
