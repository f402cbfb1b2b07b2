package dev.kudu4j.client;

import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.RemoteTablet;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Maps rows to partitions, for programs that sort rows by tablet before they write them. Uses the
 * partitions as of its construction. Not thread-safe.
 */
public final class KuduPartitioner {
  private static final byte[] UNBOUNDED = new byte[0];

  private final PartitionSchema partitionSchema;
  private final Map<String, Partition> tabletMap;
  private final NavigableMap<byte[], Numbered> byStart = new TreeMap<>(Arrays::compareUnsigned);

  private record Numbered(int number, Partition partition) {}

  /**
   * @param tabletIdToPartition all partitions of the table
   */
  public KuduPartitioner(
      PartitionSchema partitionSchema, Map<String, Partition> tabletIdToPartition) {
    this.partitionSchema = partitionSchema;
    this.tabletMap = new LinkedHashMap<>(tabletIdToPartition);
    tabletMap.values().stream()
        .sorted()
        .forEach(
            partition ->
                byStart.put(
                    partition.getPartitionKeyStart(), new Numbered(byStart.size(), partition)));
  }

  /** The number of partitions. */
  public int numPartitions() {
    return byStart.size();
  }

  /** Whether some partition covers the row. */
  public boolean isCovered(PartialRow row) {
    return find(partitionSchema.encodePartitionKey(row)) != null;
  }

  /**
   * The index of the row's partition, from 0, in the order of partition keys.
   *
   * @throws NonCoveredRangeException when no partition covers the row
   */
  public int partitionRow(PartialRow row) throws NonCoveredRangeException {
    byte[] key = partitionSchema.encodePartitionKey(row);
    Numbered found = find(key);
    if (found == null) {
      Map.Entry<byte[], Numbered> before = byStart.floorEntry(key);
      Map.Entry<byte[], Numbered> after = byStart.higherEntry(key);
      throw new NonCoveredRangeException(
          before == null ? UNBOUNDED : before.getValue().partition().getPartitionKeyEnd(),
          after == null ? UNBOUNDED : after.getKey());
    }
    return found.number();
  }

  private Numbered find(byte[] key) {
    Map.Entry<byte[], Numbered> entry = byStart.floorEntry(key);
    return entry != null && entry.getValue().partition().toCommon().contains(key)
        ? entry.getValue()
        : null;
  }

  /** The partitions by tablet id. */
  public Map<String, Partition> getTabletMap() {
    return Map.copyOf(tabletMap);
  }

  /** Builds a partitioner from the current partitions of a table. */
  public static final class KuduPartitionerBuilder {
    private final KuduTable table;
    private long timeoutMillis;

    public KuduPartitionerBuilder(KuduTable table) {
      this.table = table;
      this.timeoutMillis = table.getAsyncClient().getDefaultOperationTimeoutMs();
    }

    /** Sets the timeout of {@link #build}. */
    public KuduPartitionerBuilder buildTimeout(long timeoutMs) {
      this.timeoutMillis = timeoutMs;
      return this;
    }

    public KuduPartitioner build() throws KuduException {
      Map<String, Partition> partitions = new LinkedHashMap<>();
      var tablets =
          KuduClient.join(
              table.tablets().betweenAnew(UNBOUNDED, UNBOUNDED, Deadline.after(timeoutMillis)));
      for (RemoteTablet tablet : tablets) {
        partitions.put(tablet.tabletId(), new Partition(tablet.partition()));
      }
      return new KuduPartitioner(table.getPartitionSchema(), partitions);
    }
  }
}
