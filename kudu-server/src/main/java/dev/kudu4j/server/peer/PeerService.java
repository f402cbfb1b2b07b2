package dev.kudu4j.server.peer;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.proto.replication.AskSafeTimeRequestPB;
import dev.kudu4j.common.proto.replication.AskSafeTimeResponsePB;
import dev.kudu4j.common.proto.replication.LeaderWordPB;
import dev.kudu4j.common.proto.replication.UpdateReplicasRequestPB;
import dev.kudu4j.common.proto.replication.UpdateReplicasResponsePB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.rpc.execution.CallCost;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.replica.ReplicaDirectory;
import dev.kudu4j.server.replica.SafeTime;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.rpc.PeerAddresses;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the status of leaders on other servers, and answers requests for the status of leaders
 * on this server.
 */
public final class PeerService {
  static final String NAME = "kudu4j.replication.PeerService";

  private static final Logger LOG = LoggerFactory.getLogger(PeerService.class);
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final RateLimitedLog foreign = new RateLimitedLog(LOG);
  private final String uuid;
  private final ReplicaDirectory replicas;
  private final PeerAddresses addresses;
  private final HybridClock clock;

  public PeerService(
      String uuid, ReplicaDirectory replicas, PeerAddresses addresses, HybridClock clock) {
    this.uuid = uuid;
    this.replicas = replicas;
    this.addresses = addresses;
    this.clock = clock;
  }

  public RpcService service() {
    return RpcService.builder(NAME)
        .method(
            "UpdateReplicas",
            Access.SERVICE,
            UpdateReplicasRequestPB.parser(),
            (request, call) -> call.respond(update(request)))
        .method(
            "AskSafeTime",
            Access.SERVICE,
            CallCost.SHORT,
            AskSafeTimeRequestPB.parser(),
            this::askSafeTime)
        .build();
  }

  private UpdateReplicasResponsePB update(UpdateReplicasRequestPB request) {
    UpdateReplicasResponsePB.Builder response =
        UpdateReplicasResponsePB.newBuilder().setUuid(ByteString.copyFromUtf8(uuid));
    if (request.hasDestUuid() && !request.getDestUuid().toStringUtf8().equals(uuid)) {
      return response.build();
    }
    String sender = HexId.require("sender_uuid", request.getSenderUuid());
    if (request.hasSenderAddress()) {
      addresses.reported(sender, HostPort.fromWire("sender_address", request.getSenderAddress()));
    }
    try {
      clock.update(request.getClock());
    } catch (KuduException e) { // none of the sender's times can be trusted
      foreign.warn("Server {}: {}", sender, e.getMessage());
      return response.build();
    }
    for (int i = 0; i < request.getWordsCount(); i++) {
      LeaderWordPB word = request.getWords(i);
      if (hear(word)) {
        response.addConfirmed(i);
      } else if (replicas.isLost(word.getTabletId().toStringUtf8())) {
        response.addFailed(i);
      }
    }
    return response.setClock(clock.now()).build();
  }

  private boolean hear(LeaderWordPB word) {
    return replicas
        .find(word.getTabletId().toStringUtf8())
        .filter(replica -> replica.receive(LeaderStatusWire.fromWire(word)))
        .isPresent();
  }

  /**
   * Answers with the status of the leader, once the leader can serve the requested snapshot or the
   * wait is over. Answers without a status if no replica on this server leads the tablet.
   */
  private void askSafeTime(AskSafeTimeRequestPB request, RpcCall call) {
    String tabletId = request.getTabletId().toStringUtf8();
    Optional<TabletReplica> replica = replicas.find(tabletId).filter(TabletReplica::isElected);
    boolean forMe = !request.hasDestUuid() || request.getDestUuid().toStringUtf8().equals(uuid);
    if (replica.isEmpty() || !forMe) {
      call.respond(AskSafeTimeResponsePB.getDefaultInstance());
      return;
    }
    long wait = LONGEST_WAIT_NANOS;
    if (call.deadlineNanos().isPresent()) {
      wait = Math.max(1, Math.min(wait, call.deadlineNanos().getAsLong() - System.nanoTime()));
    }
    SafeTime safeTime = replica.get().safeTime();
    long snapshot = request.getSnapshot();
    CompletableFuture<Long> readable =
        request.getNameOne()
            ? safeTime.whenLatestIsReadable(snapshot, wait)
            : safeTime.whenReadable(snapshot, wait).thenApply(done -> snapshot);
    readable.whenComplete(
        (found, failure) -> {
          AskSafeTimeResponsePB.Builder response = AskSafeTimeResponsePB.newBuilder();
          replica
              .get()
              .leaderStatus()
              .ifPresent(word -> response.setWord(LeaderStatusWire.toWire(tabletId, word)));
          if (failure == null && request.getNameOne()) {
            response.setNamed(found);
          }
          call.respond(response.build());
        });
  }
}
