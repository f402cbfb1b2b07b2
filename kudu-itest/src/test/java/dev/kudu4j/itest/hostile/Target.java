package dev.kudu4j.itest.hostile;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.server.GetStatusRequestPB;
import dev.kudu4j.common.proto.server.GetStatusResponsePB;
import dev.kudu4j.common.proto.server.ServerStatusPB;
import dev.kudu4j.itest.support.Daemon;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * A server as an attacker sees it: any client may ask a server for its identity and its ports.
 *
 * @param instance the number of its current run
 */
record Target(
    Daemon daemon,
    String uuid,
    long instance,
    InetSocketAddress rpc,
    InetSocketAddress raft,
    InetSocketAddress web) {
  static final String GENERIC = "kudu.server.GenericService";

  /** Queries a server that has just started; its web port comes last. */
  static Target of(Daemon daemon) {
    InetSocketAddress rpc = new InetSocketAddress(daemon.host(), daemon.port());
    ServerStatusPB status =
        await(daemon.name() + " serves its pages")
            .atMost(Duration.ofMinutes(1))
            .until(() -> status(rpc), answer -> answer.getBoundHttpAddressesCount() > 0);
    return new Target(
        daemon,
        status.getNodeInstance().getPermanentUuid().toStringUtf8(),
        status.getNodeInstance().getInstanceSeqno(),
        rpc,
        address(status.getRaftAddress()),
        address(status.getBoundHttpAddresses(0)));
  }

  private static ServerStatusPB status(InetSocketAddress rpc) throws IOException {
    try (RawRpc connection = RawRpc.operator(rpc)) {
      return connection
          .ask(
              GENERIC,
              "GetStatus",
              GetStatusRequestPB.getDefaultInstance(),
              GetStatusResponsePB.parser())
          .getStatus();
    }
  }

  private static InetSocketAddress address(HostPortPB at) {
    return new InetSocketAddress(at.getHost(), at.getPort());
  }

  String name() {
    return daemon.name();
  }

  ByteString uuidBytes() {
    return ByteString.copyFromUtf8(uuid);
  }

  static HostPortPB toWire(InetSocketAddress address) {
    return HostPortPB.newBuilder()
        .setHost(address.getHostString())
        .setPort(address.getPort())
        .build();
  }
}
