package dev.kudu4j.common.rpc.negotiation;

import dev.kudu4j.common.proto.rpc.RpcFeatureFlag;
import java.util.Set;

/**
 * The result of negotiation.
 *
 * @param user the authenticated user name of the client
 * @param provenServer whether the client has proved that it has the cluster secret
 * @param peerFeatures RPC-layer features that the peer announced
 */
public record Negotiated(String user, boolean provenServer, Set<RpcFeatureFlag> peerFeatures) {
  public Negotiated {
    peerFeatures = Set.copyOf(peerFeatures);
  }
}
