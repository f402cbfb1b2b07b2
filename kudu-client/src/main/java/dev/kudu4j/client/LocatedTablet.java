package dev.kudu4j.client;

import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.RemoteTablet;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A tablet and the locations of its replicas, as of when this object was created. */
public final class LocatedTablet {
  private final String tabletId;
  private final Partition partition;
  private final List<Replica> replicas;

  LocatedTablet(RemoteTablet tablet) {
    this.tabletId = tablet.tabletId();
    this.partition = new Partition(tablet.partition());
    this.replicas = tablet.replicas().stream().map(Replica::new).toList();
  }

  public List<Replica> getReplicas() {
    return replicas;
  }

  public Partition getPartition() {
    return partition;
  }

  /** Encoded partition key, inclusive. */
  public byte[] getStartKey() {
    return partition.getPartitionKeyStart();
  }

  /** Encoded partition key, exclusive. */
  public byte[] getEndKey() {
    return partition.getPartitionKeyEnd();
  }

  /** The tablet id in UTF-8. */
  public byte[] getTabletId() {
    return tabletId.getBytes(StandardCharsets.UTF_8);
  }

  /** The leader replica; null if none is known. */
  public Replica getLeaderReplica() {
    for (Replica replica : replicas) {
      if (replica.replica.role() == RemoteReplica.Role.LEADER) {
        return replica;
      }
    }
    return null;
  }

  /**
   * @param tablet may be null; the result is then null
   */
  static LocatedTablet orNull(RemoteTablet tablet) {
    return tablet == null ? null : new LocatedTablet(tablet);
  }

  @Override
  public String toString() {
    return tabletId + " " + partition + " " + replicas;
  }

  /** One replica of the tablet. */
  public static final class Replica {
    private final RemoteReplica replica;

    private Replica(RemoteReplica replica) {
      this.replica = replica;
    }

    public String getRpcHost() {
      return replica.host();
    }

    public Integer getRpcPort() {
      return replica.port();
    }

    /** {@code LEADER}, {@code FOLLOWER} or {@code LEARNER}. */
    public String getRole() {
      return replica.role().name();
    }

    /** The dimension label that guided the tablet's placement; null if none. */
    public String getDimensionLabel() {
      return replica.label().isEmpty() ? null : replica.label();
    }

    String getServerUuid() {
      return replica.serverId();
    }

    @Override
    public String toString() {
      return replica.role() + " " + replica;
    }
  }
}
