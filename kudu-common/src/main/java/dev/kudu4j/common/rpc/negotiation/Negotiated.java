package dev.kudu4j.common.rpc.negotiation;

import dev.kudu4j.common.proto.rpc.RpcFeatureFlag;
import java.util.Set;

/**
 * What negotiation found out.
 *
 * @param user name of the client's user, as it was authenticated
 * @param provenServer whether the client has proved that it holds the cluster's secret
 * @param peerFeatures RPC-layer features that the other end announced
 */
public record Negotiated(String user, boolean provenServer, Set<RpcFeatureFlag> peerFeatures) {
  public Negotiated {
    peerFeatures = Set.copyOf(peerFeatures);
  }
}
