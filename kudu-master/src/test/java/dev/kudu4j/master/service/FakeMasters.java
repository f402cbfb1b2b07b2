package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.ServerEntryPB;
import dev.kudu4j.master.catalog.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A master on host-a, and other masters with given entries. */
final class FakeMasters implements MasterGroup {
  private static final long STARTED_SECONDS = 1_795_284_570; // 2026-11-21 18:09:30 UTC

  final List<HostPortPB> addresses = new ArrayList<>(List.of(address("host-a", 7051)));
  final List<ServerEntryPB> others = new ArrayList<>();
  private final ServerEntryPB self = entry('a', "host-a", 8051);

  static HostPortPB address(String host, int port) {
    return HostPortPB.newBuilder().setHost(host).setPort(port).build();
  }

  /** A master whose uuid is {@code letter} 32 times. If {@code webPort} is 0, it has no web UI. */
  static ServerEntryPB entry(char letter, String host, int webPort) {
    ServerRegistrationPB.Builder registration =
        ServerRegistrationPB.newBuilder()
            .addRpcAddresses(address(host, 7051))
            .setStartTime(STARTED_SECONDS);
    if (webPort > 0) {
      registration.addHttpAddresses(address(host, webPort));
    }
    return ServerEntryPB.newBuilder()
        .setInstanceId(
            NodeInstancePB.newBuilder()
                .setPermanentUuid(Ids.toWire(String.valueOf(letter).repeat(32)))
                .setInstanceSeqno(1))
        .setRegistration(registration)
        .setMemberType(RaftPeerPB.MemberType.VOTER)
        .build();
  }

  @Override
  public NodeInstancePB instance() {
    return self.getInstanceId();
  }

  @Override
  public ServerRegistrationPB registration() {
    return self.getRegistration();
  }

  @Override
  public List<HostPortPB> addresses() {
    return addresses;
  }

  @Override
  public CompletableFuture<List<ServerEntryPB>> others() {
    return CompletableFuture.completedFuture(others);
  }
}
