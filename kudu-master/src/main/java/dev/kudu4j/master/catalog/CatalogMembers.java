package dev.kudu4j.master.catalog;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.masters.CatalogMemberPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.HostPortWire;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.raft.RaftHost;
import java.util.Optional;

/** Conversion of members of the catalog's group from and to the messages between masters. */
public final class CatalogMembers {
  private CatalogMembers() {}

  public static CatalogMemberPB toWire(RaftHost.Peer member) {
    CatalogMemberPB.Builder message =
        CatalogMemberPB.newBuilder()
            .setUuid(ByteString.copyFromUtf8(member.serverUuid()))
            .setRaftAddress(HostPortPB.newBuilder().setHost(member.host()).setPort(member.port()));
    Optional.ofNullable(member.rpcAddress())
        .flatMap(HostPort::recorded)
        .ifPresent(
            rpc ->
                message.setRpcAddress(
                    HostPortPB.newBuilder().setHost(rpc.host()).setPort(rpc.port())));
    return message.build();
  }

  /**
   * @throws KuduException INVALID_ARGUMENT for an invalid address
   */
  public static RaftHost.Peer fromWire(CatalogMemberPB member) {
    HostPortPB raft = HostPortWire.require("raft_address of a master", member.getRaftAddress());
    return new RaftHost.Peer(
        HexId.require("uuid of a master", member.getUuid()),
        raft.getHost(),
        raft.getPort(),
        member.hasRpcAddress()
            ? HostPort.fromWire("rpc_address of a master", member.getRpcAddress()).toString()
            : null);
  }
}
