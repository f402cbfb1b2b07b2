package dev.kudu4j.benchmarks.lookups;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.rpc.RpcService;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The protocol between tablet servers and their master. In this benchmark, only the protocol
 * differs between the masters of Kudu4j and Apache Kudu.
 */
interface HeartbeatDialect {
  String ADMIN_SERVICE = "kudu.tserver.TabletServerAdminService";
  int TIMEOUT_MILLIS = 60_000;
  long TERM = 1;

  /** A reported replica. */
  record Replica(ByteString tabletId, RaftConfigPB config, int schemaVersion) {
    /** The state in which the first member leads. */
    ConsensusStatePB consensusState() {
      return ConsensusStatePB.newBuilder()
          .setCurrentTerm(TERM)
          .setLeaderUuid(config.getPeers(0).getPermanentUuid().toStringUtf8())
          .setCommittedConfig(config.toBuilder().setOpidIndex(TERM))
          .build();
    }
  }

  /**
   * The content of a heartbeat.
   *
   * @param registration the server's registration; empty if the master does not need it
   * @param full whether {@code replicas} has all replicas of the server, instead of only new and
   *     changed ones
   * @param sequence number of the heartbeat, which rises by one each time
   */
  record Beat(
      NodeInstancePB instance,
      Optional<ServerRegistrationPB> registration,
      List<Replica> replicas,
      boolean full,
      int liveTablets,
      long sequence) {}

  /**
   * Sends the heartbeat; returns whether another heartbeat with registration and full report is
   * needed.
   */
  boolean send(RpcClient client, InetSocketAddress master, Beat beat);

  /** Calls the master's method for heartbeats, and waits for its answer. */
  static <T extends Message> T call(
      RpcClient client, InetSocketAddress master, Message heartbeat, Parser<T> answers) {
    try (RpcResponse<T> answer =
        client
            .call(
                master,
                "kudu.master.MasterService",
                "TSHeartbeat",
                heartbeat,
                answers,
                RpcCallOptions.timeoutMillis(TIMEOUT_MILLIS))
            .join()) {
      return answer.message();
    }
  }

  /** The service that the master calls on a tablet server. */
  RpcService adminService(Consumer<Replica> created);
}
