package dev.kudu4j.spark.read;

import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.spark.type.InternalRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.HasPartitionKey;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * The input of one task: a scan token, which contains all that a task needs except the time to read
 * at, and the preferred hosts.
 *
 * @param tablet id
 * @param key see {@link HashPartitioning}; empty if the partitioning is not reported
 */
@SuppressWarnings("ArrayRecordComponent") // serialized, never compared
record KuduSplit(byte[] token, String[] hosts, String tablet, int[] key)
    implements InputPartition, HasPartitionKey {
  /** The input of a task that reads no tablet. */
  static final KuduSplit NOTHING = new KuduSplit(new byte[0], new String[0], "", new int[0]);

  boolean isNothing() {
    return token.length == 0;
  }

  static KuduSplit of(KuduScanToken token, ReplicaSelection replicas) {
    return of(token, replicas, new int[0]);
  }

  static KuduSplit of(KuduScanToken token, ReplicaSelection replicas, int[] key) {
    LocatedTablet tablet = token.getTablet();
    try {
      return new KuduSplit(
          token.serialize(),
          hosts(tablet, replicas),
          new String(tablet.getTabletId(), StandardCharsets.UTF_8),
          key);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String[] hosts(LocatedTablet tablet, ReplicaSelection replicas) {
    LocatedTablet.Replica leader = tablet.getLeaderReplica();
    Stream<LocatedTablet.Replica> near =
        replicas == ReplicaSelection.LEADER_ONLY && leader != null
            ? Stream.of(leader)
            : tablet.getReplicas().stream();
    return near.map(LocatedTablet.Replica::getRpcHost).distinct().toArray(String[]::new);
  }

  @Override
  public InternalRow partitionKey() {
    return InternalRows.of(Arrays.stream(key).boxed().toArray());
  }

  @Override
  public String[] preferredLocations() {
    return hosts;
  }
}
