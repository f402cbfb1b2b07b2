package dev.kudu4j.spark.read;

import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.client.ReplicaSelection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * The input of one task: a scan token, which contains all that a task needs, and the preferred
 * hosts.
 */
@SuppressWarnings("ArrayRecordComponent") // serialized, never compared
record KuduSplit(byte[] token, String[] hosts) implements InputPartition {
  /** The input of a task that reads no tablet. */
  static final KuduSplit NOTHING = new KuduSplit(new byte[0], new String[0]);

  boolean isNothing() {
    return token.length == 0;
  }

  static KuduSplit of(KuduScanToken token, ReplicaSelection replicas) {
    try {
      return new KuduSplit(token.serialize(), hosts(token.getTablet(), replicas));
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
  public String[] preferredLocations() {
    return hosts;
  }
}
