package dev.kudu4j.master.catalog;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.masters.CatalogMemberPB;
import dev.kudu4j.common.proto.masters.FoundersPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.replica.RaftHost;
import dev.kudu4j.tablet.TabletDescriptor;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The first members of the catalog's group, as they are kept with its tablet and told. */
public final class Founders {
  private static final String ATTRIBUTE = "founders";

  private Founders() {}

  static Map<String, byte[]> attributes(List<RaftHost.Peer> founders) {
    FoundersPB.Builder message = FoundersPB.newBuilder();
    founders.forEach(founder -> message.addMembers(toWire(founder)));
    return Map.of(ATTRIBUTE, message.build().toByteArray());
  }

  /** Empty for a catalog of a release that had only one master. */
  static Optional<List<RaftHost.Peer>> of(TabletDescriptor descriptor) {
    byte[] attribute = descriptor.attributes().get(ATTRIBUTE);
    if (attribute == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          FoundersPB.parseFrom(attribute).getMembersList().stream()
              .map(Founders::fromWire)
              .toList());
    } catch (InvalidProtocolBufferException e) {
      throw KuduException.corruption(
          "The founders of the catalog's group cannot be read: %s", e.getMessage());
    }
  }

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

  public static RaftHost.Peer fromWire(CatalogMemberPB member) {
    HostPortPB rpc = member.getRpcAddress();
    return new RaftHost.Peer(
        member.getUuid().toStringUtf8(),
        member.getRaftAddress().getHost(),
        member.getRaftAddress().getPort(),
        member.hasRpcAddress() ? new HostPort(rpc.getHost(), rpc.getPort()).toString() : null);
  }
}
