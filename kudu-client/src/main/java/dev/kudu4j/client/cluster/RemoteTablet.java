package dev.kudu4j.client.cluster;

import dev.kudu4j.common.partition.Partition;
import java.util.List;

/**
 * A tablet as last seen. One object stands for a tablet for as long as the client remembers it; its
 * replicas change underneath, so it may be the key of a map and be asked again for each call.
 * Thread-safe.
 */
public final class RemoteTablet {
  public String tableId() {
    throw new UnsupportedOperationException("STUB");
  }

  public String tabletId() {
    throw new UnsupportedOperationException("STUB");
  }

  public Partition partition() {
    throw new UnsupportedOperationException("STUB");
  }

  public List<RemoteReplica> replicas() {
    throw new UnsupportedOperationException("STUB");
  }
}
