package dev.kudu4j.master.catalog;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.masters.CatalogMemberPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.HostPortWire;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.replica.RaftHost;

/** Members of the catalog's group, as masters tell one another of them. */
public final class CatalogMembers {
  private CatalogMembers() {}

  public static CatalogMemberPB toWire(RaftHost.Peer member) {
    CatalogMemberPB.Builder message =
        CatalogMemberPB.newBuilder()
            .setUuid(ByteString.copyFromUtf8(member.serverUuid()))
            .setRaftAddress(HostPortPB.newBuilder().setHost(member.host()).setPort(member.port()));
    if (member.rpcAddress() != null && !member.rpcAddress().isEmpty()) {
      HostPort rpc = HostPort.parse(member.rpcAddress(), 0);
      message.setRpcAddress(HostPortPB.newBuilder().setHost(rpc.host()).setPort(rpc.port()));
    }
    return message.build();
  }

  /**
   * @throws KuduException INVALID_ARGUMENT for one that is no server, or is nowhere
   */
  public static void check(CatalogMemberPB member) {
    HexId.require("uuid", member.getUuid());
    HostPortWire.require("raft_address", member.getRaftAddress());
    if (member.hasRpcAddress()) {
      HostPortWire.require("rpc_address", member.getRpcAddress());
    }
  }

  public static RaftHost.Peer fromWire(CatalogMemberPB member) {
    HostPortPB rpc = member.getRpcAddress();
    return new RaftHost.Peer(
        member.getUuid().toStringUtf8(),
        member.getRaftAddress().getHost(),
        member.getRaftAddress().getPort(),
        member.hasRpcAddress() ? new HostPort(rpc.getHost(), rpc.getPort()).toString() : null);
  }
}
