package dev.kudu4j.server.peer;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.replication.AskSafeTimeRequestPB;
import dev.kudu4j.common.proto.replication.AskSafeTimeResponsePB;
import dev.kudu4j.common.proto.replication.UpdateReplicasRequestPB;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.replica.ReplicaDirectory;
import dev.kudu4j.server.replica.SafeTime;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.rpc.PeerAddresses;
import dev.kudu4j.server.rpc.ServerIdentity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the status of all tablets that this server leads to the other servers, twice a second and
 * immediately when a reader waits; the status of quiet tablets every two seconds. The responses
 * prove that this server still leads. For a tablet that this server does not lead, requests the
 * status from the leader when a reader waits on this server.
 *
 * <p>Thread-safe. One thread does the work; it does not block.
 */
public final class PeerExchange implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerExchange.class);
  private static final int INTERVAL_MILLIS = 500;
  private static final int ASK_TIMEOUT_MILLIS = 1_000;
  private static final int SILENCE_MILLIS = 1_500;

  /** Rounds after the last write in which a replica is visited every time. */
  private static final int ACTIVE_ROUNDS = 20;

  /** A quiet replica is visited once in this number of rounds. */
  private static final int QUIET_ROUNDS = 4;

  private static final int FORGET_ROUNDS = 120;

  /**
   * @param leads whether the replica led
   * @param appliedBytes bytes applied when it was last found to have changed, in {@code round}
   */
  private record Activity(boolean leads, long appliedBytes, int round) {}

  private final RateLimitedLog limited = new RateLimitedLog(LOG);
  private final ServerIdentity identity;
  private final ReplicaDirectory replicas;
  private final PeerAddresses addresses;
  private final HybridClock clock;
  private final RpcClient client;
  private final StatusComposer composer = new StatusComposer();
  private final Map<String, PeerStatusChannel> channels = new HashMap<>();
  private final Set<String> asking = new HashSet<>();
  private final Map<String, Activity> activities = new HashMap<>();
  private int round;
  private final ScheduledThreadPoolExecutor executor;

  public PeerExchange(
      ServerIdentity identity,
      ReplicaDirectory replicas,
      PeerAddresses addresses,
      HybridClock clock,
      RpcClientOptions calls) {
    this.identity = identity;
    this.replicas = replicas;
    this.addresses = addresses;
    this.clock = clock;
    this.client = new RpcClient(calls.withAllTimeoutsMillis(SILENCE_MILLIS));
    this.executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "peer-exchange");
              thread.setDaemon(true);
              return thread;
            });
  }

  public void start() {
    executor.scheduleWithFixedDelay(
        this::tick, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Sends requests for a replica on which a reader waits, or which is a leader that must prove its
   * leadership. Does not block.
   */
  public void wanted(TabletReplica replica) {
    execute(
        () -> {
          if (replica.isElected()) {
            for (String uuid : replica.otherVoters()) {
              channel(uuid).due(replica.tabletId());
              channel(uuid).send();
            }
          } else {
            ask(replica);
          }
        });
  }

  private void execute(Runnable action) {
    try {
      executor.execute(action);
    } catch (RejectedExecutionException e) {
      LOG.debug("Skipped an exchange with other servers: the server is closing", e);
    }
  }

  private void tick() {
    try {
      round++;
      replicas.all().forEach(this::visitAlone);
      channels.values().forEach(PeerStatusChannel::send);
      if (round % FORGET_ROUNDS == 0) {
        forgetRemoved();
      }
    } catch (RuntimeException | Error e) { // an escaping exception would silently end the exchange
      LOG.error("The exchange with other servers failed; retrying", e);
    }
  }

  /** Visits one replica. A failure of this replica does not affect the other replicas. */
  private void visitAlone(TabletReplica replica) {
    try {
      if (replica.lifeCycleState() == TabletReplica.State.RUNNING) {
        visit(replica);
      }
    } catch (RuntimeException e) {
      limited.warn(
          "Tablet {} is skipped in the exchange with other servers", replica.tabletId(), e);
    }
  }

  private void visit(TabletReplica replica) {
    boolean leads = replica.isElected();
    if (!leads) {
      replica.safeTime().resendRequestIfWaiting();
    }
    if (!isTurn(replica, leads)) {
      return;
    }
    replica
        .others()
        .forEach(
            (uuid, rpcAddress) -> {
              addresses.addFromConfiguration(uuid, rpcAddress);
              PeerStatusChannel channel = channel(uuid); // sends at least an empty message
              if (leads) {
                channel.due(replica.tabletId());
              }
            });
  }

  /**
   * Whether the replica is visited in this round. Replicas to which nothing has been written for
   * some rounds take turns. A reader of such a replica may have to wait for a response of the
   * leader or of the other members, which it causes immediately ({@link #wanted}).
   */
  private boolean isTurn(TabletReplica replica, boolean leads) {
    if (leads && (!replica.isLeader() || replica.safeTime().waitsForOthers())) {
      return true; // others wait for the responses
    }
    Activity known = activities.get(replica.tabletId());
    long bytes = replica.appliedLogBytes();
    if (known == null || known.leads != leads || known.appliedBytes != bytes) {
      activities.put(replica.tabletId(), new Activity(leads, bytes, round));
      return true;
    }
    return round - known.round < ACTIVE_ROUNDS
        || Math.floorMod(replica.tabletId().hashCode() + round, QUIET_ROUNDS) == 0;
  }

  /** Removes what is known of replicas that no longer exist. */
  private void forgetRemoved() {
    activities.keySet().removeIf(tabletId -> replicas.find(tabletId).isEmpty());
  }

  private PeerStatusChannel channel(String uuid) {
    return channels.computeIfAbsent(
        uuid, id -> new PeerStatusChannel(id, composer, addresses, client, this::execute));
  }

  /** Composes the messages of all {@link PeerStatusChannel}s and handles the responses. */
  private final class StatusComposer implements PeerStatusChannel.StatusMessages {
    @Override
    public UpdateReplicasRequestPB.Builder message(Set<String> tablets) {
      UpdateReplicasRequestPB.Builder message =
          UpdateReplicasRequestPB.newBuilder()
              .setSenderUuid(ByteString.copyFromUtf8(identity.uuid()))
              .setSenderAddress(ServerIdentity.toWire(identity.rpcAddresses().get(0)))
              // The clock is read before the status of the leaders, so a response proves that they
              // led at this time.
              .setClock(clock.now());
      for (String tabletId : tablets) {
        replicas
            .find(tabletId)
            .flatMap(TabletReplica::leaderStatus)
            .ifPresent(status -> message.addWords(LeaderStatusWire.toWire(tabletId, status)));
      }
      return message;
    }

    @Override
    public void confirmed(String serverUuid, String tabletId, long term, long time) {
      replicas.find(tabletId).ifPresent(replica -> replica.confirmed(serverUuid, term, time));
    }

    @Override
    public void failed(String serverUuid, String tabletId, long term) {
      replicas.find(tabletId).ifPresent(replica -> replica.memberFailed(serverUuid, term));
    }

    @Override
    public void clockSeen(long time) {
      try {
        clock.update(time);
      } catch (KuduException e) {
        limited.warn("Another server's clock is far ahead: {}", e.getMessage());
      }
    }
  }

  /**
   * Asks the leader of a tablet for its status. A tablet has at most one unanswered request;
   * readers that arrive in the meantime wait for the next request.
   */
  private void ask(TabletReplica replica) {
    SafeTime.Wanted wanted = replica.safeTime().wanted();
    String tabletId = replica.tabletId();
    String leader = replica.leaderUuid().orElse(identity.uuid());
    HostPort address = addresses.find(leader).orElse(null);
    if (!wanted.isSomething()
        || leader.equals(identity.uuid())
        || address == null
        || !asking.add(tabletId)) {
      return;
    }
    AskSafeTimeRequestPB request =
        AskSafeTimeRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(tabletId))
            .setDestUuid(ByteString.copyFromUtf8(leader))
            .setSnapshot(
                wanted.reader() > 0
                    ? Math.max(wanted.snapshot(), clock.now()) // not before the reader's arrival
                    : wanted.snapshot())
            .setNameOne(wanted.reader() > 0)
            .build();
    client
        .call(
            address.unresolved(),
            PeerService.NAME,
            "AskSafeTime",
            request,
            AskSafeTimeResponsePB.parser(),
            RpcCallOptions.timeoutMillis(ASK_TIMEOUT_MILLIS))
        .whenComplete((response, failure) -> execute(() -> answered(replica, wanted, response)));
  }

  private void answered(
      TabletReplica replica, SafeTime.Wanted asked, RpcResponse<AskSafeTimeResponsePB> response) {
    asking.remove(replica.tabletId());
    if (response == null) {
      return; // the next tick asks again
    }
    try (response) {
      if (response.message().hasWord()) {
        replica.receive(LeaderStatusWire.fromWire(response.message().getWord()));
      }
      if (response.message().hasNamed()) {
        replica.safeTime().snapshotNamed(asked, response.message().getNamed());
      }
    }
    if (replica.safeTime().wanted().isMoreThan(asked)) {
      ask(replica);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
    client.close();
  }
}
