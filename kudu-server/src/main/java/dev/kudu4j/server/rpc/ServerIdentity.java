package dev.kudu4j.server.rpc;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.VersionInfoPB;
import dev.kudu4j.server.flags.HostPort;
import java.util.List;
import java.util.function.Supplier;

/**
 * The identity and the addresses of a running server.
 *
 * @param uuid permanent uuid of the server
 * @param startedMicros time when the process started; distinguishes the runs of the server
 * @param rpcAddresses the RPC addresses that the server advertises to clients and other servers
 * @param httpAddresses the addresses of the web pages; empty until they are served
 * @param raft the address of the Raft port
 * @param version the version of this release
 */
public record ServerIdentity(
    String uuid,
    long startedMicros,
    List<HostPort> rpcAddresses,
    Supplier<List<HostPort>> httpAddresses,
    HostPort raft,
    String version) {

  public NodeInstancePB nodeInstance() {
    return NodeInstancePB.newBuilder()
        .setPermanentUuid(ByteString.copyFromUtf8(uuid))
        .setInstanceSeqno(startedMicros)
        .build();
  }

  public VersionInfoPB versionInfo() {
    return VersionInfoPB.newBuilder().setVersionString(version).setBuildType("RELEASE").build();
  }

  public static HostPortPB toWire(HostPort address) {
    return HostPortPB.newBuilder().setHost(address.host()).setPort(address.port()).build();
  }
}
