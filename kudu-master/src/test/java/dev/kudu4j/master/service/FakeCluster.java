package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.cluster.AlterSchemaRequestPB;
import dev.kudu4j.common.proto.cluster.AlterSchemaResponsePB;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletResponsePB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigResponsePB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownRequestPB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownResponsePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.master.ChangeTServerStateRequestPB;
import dev.kudu4j.common.proto.master.ChangeTServerStateRequestPB.HandleMissingTS;
import dev.kudu4j.common.proto.master.TServerStateChangePB;
import dev.kudu4j.common.proto.master.TServerStateChangePB.StateChange;
import dev.kudu4j.common.proto.master.UnregisterTServerRequestPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.InMemoryCatalogStore;
import dev.kudu4j.master.directory.TabletDirectory;
import dev.kudu4j.master.heartbeat.Locations;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.tables.Tables;
import dev.kudu4j.master.tables.TablesEnvironment;
import dev.kudu4j.master.tables.TablesOptions;
import dev.kudu4j.master.tables.TabletServerCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One master without a network or a disk, and tablet servers that can fail: calls are lost before
 * or after they took effect, or are slow; servers fall silent and restart; the store fails in the
 * middle of a batch; the master crashes.
 */
final class FakeCluster implements TabletServerCalls {
  private static final long HEARTBEAT_MILLIS = 500;

  /** Delays after which a call may take effect; the master gives up on it after half a second. */
  private static final long[] LATE_MILLIS = {600, 3_000, 3_000, 100_000};

  final SimulatedTime time = new SimulatedTime();
  final InMemoryCatalogStore store = new InMemoryCatalogStore();
  final Map<String, FakeTabletServer> servers = new LinkedHashMap<>();
  private final Map<String, FakeGroup> groups = new HashMap<>();
  final Set<FakeTabletServer> dead = new LinkedHashSet<>();
  final TablesOptions options;
  long failedAfterNanos = TimeUnit.SECONDS.toNanos(5);
  private final Random random;

  /** Effects of calls that have not arrived yet. */
  private final Set<Supplier<?>> underWay = new HashSet<>();

  private double faultRate;
  private StatusCode refusal;
  private FakeTabletServer refusingServer;

  MasterLeadership leadership;
  ServerRegistry registered;
  ServerMethods serverMethods;
  TableRequests tables;
  LookupMethods lookups;
  IdentityMethods identity;
  private int incarnation;
  private int calls;

  FakeCluster(int serverCount, long seed) {
    this(serverCount, seed, TablesOptions.DEFAULT);
  }

  FakeCluster(int serverCount, long seed, TablesOptions options) {
    this.random = new Random(seed);
    this.options = options;
    for (int i = 0; i < serverCount; i++) {
      String uuid = String.format("%032x", i + 1);
      servers.put(uuid, new FakeTabletServer(uuid, this));
    }
    startMaster();
    time.pass(10);
    heartbeats();
    beat();
  }

  /** Starts a new process over the old store. */
  void startMaster() {
    int mine = ++incarnation;
    registered = new ServerRegistry(time::nanos, 60_000, Locations.none());
    leadership =
        new MasterLeadership(
            (number, onFailure) -> session(number, onFailure),
            action -> time.execute(() -> runIf(mine, action)),
            (millis, action) -> time.after(millis, () -> runIf(mine, action)));
    MasterGroup group =
        MasterGroup.alone(
            NodeInstancePB.newBuilder()
                .setPermanentUuid(Ids.toWire("f".repeat(32)))
                .setInstanceSeqno(mine)
                .build(),
            ServerRegistrationPB.getDefaultInstance());
    serverMethods =
        new ServerMethods(group, leadership, registered, new HybridClock(time, 10_000_000));
    tables = new TableRequests(new TableMethods(leadership));
    lookups = new LookupMethods(leadership);
    identity = new IdentityMethods(group, leadership, Locations.none());
    leadership.elected();
  }

  private void runIf(int of, Runnable action) {
    if (of == incarnation) {
      action.run();
    }
  }

  private LeaderSession session(long number, Runnable onFailure) {
    int mine = incarnation;
    Catalog catalog =
        Catalog.load(store, random, time.nowMicros(), failure -> runIf(mine, onFailure));
    ObservedTablets observed = new ObservedTablets(time::nanos);
    Tables work =
        new Tables(
            catalog,
            observed,
            registered,
            options,
            new TablesEnvironment(
                this,
                random,
                time,
                new HybridClock(time, 10_000_000),
                (millis, action) -> time.after(millis, () -> runIf(mine, action)),
                action -> time.execute(() -> runIf(mine, action))));
    return new LeaderSession(
        number, catalog, observed, new TabletDirectory(catalog, observed, registered), work);
  }

  /** The master is lost, with all of its memory; another one starts. */
  void crashMaster() {
    incarnation++;
    startMaster();
  }

  /** Sets the probability that a call fails. */
  void setFaultRate(double rate) {
    faultRate = rate;
  }

  /** Makes all servers reject the creation of tablets; null ends it. */
  void refuseCreation(StatusCode code) {
    refuseCreation(code, null);
  }

  /** Makes one server reject the creation of tablets. */
  void refuseCreation(StatusCode code, FakeTabletServer server) {
    refusal = code;
    refusingServer = server;
  }

  int calls() {
    return calls;
  }

  /** Changes the state of a server, such as maintenance. */
  void change(FakeTabletServer server, StateChange change) {
    serverMethods.changeState(
        ChangeTServerStateRequestPB.newBuilder()
            .setChange(TServerStateChangePB.newBuilder().setUuid(server.uuid()).setChange(change))
            .setHandleMissingTserver(HandleMissingTS.ALLOW_MISSING_TSERVER)
            .build());
  }

  /** Unregisters a server from the master. */
  void unregister(FakeTabletServer server) {
    serverMethods.unregister(
        UnregisterTServerRequestPB.newBuilder().setUuid(server.uuid()).build());
  }

  /** Duration of the copy of a tablet. */
  long copyMillis() {
    return random.nextLong(50, 3_050);
  }

  /** A server is lost permanently, with all of its replicas. */
  void kill(FakeTabletServer server) {
    dead.add(server);
    server.setSilent(true);
  }

  boolean losesAnswer() {
    return random.nextDouble() < faultRate;
  }

  private void beat() {
    time.after(
        HEARTBEAT_MILLIS,
        () -> {
          heartbeats();
          beat();
        });
  }

  /** All servers that are not silent send a heartbeat. */
  void heartbeats() {
    for (FakeTabletServer server : servers.values()) {
      if (!server.isSilent() && !losesAnswer()) {
        server.heartbeat(serverMethods);
      }
    }
  }

  /** The group of a new replica. */
  FakeGroup groupOf(CreateTabletRequestPB creation) {
    FakeGroup group =
        groups.computeIfAbsent(
            Ids.fromWire(creation.getTabletId()), id -> new FakeGroup(creation, this));
    group.checkSameStart(creation);
    return group;
  }

  FakeGroup group(String tabletId) {
    return groups.get(tabletId);
  }

  List<FakeTabletServer> membersOf(RaftConfigPB config) {
    List<FakeTabletServer> members = new ArrayList<>();
    FakeTabletServer.members(config).forEach(uuid -> members.add(servers.get(uuid)));
    return members;
  }

  @Override
  public CompletableFuture<CreateTabletResponsePB> createTablet(
      RegisteredServer server, CreateTabletRequestPB request) {
    FakeTabletServer target = servers.get(server.uuid());
    return call(
        target,
        () -> {
          if (refusal != null && (refusingServer == null || refusingServer == target)) {
            return CreateTabletResponsePB.newBuilder()
                .setError(error(TabletServerErrorPB.Code.UNKNOWN_ERROR, refusal))
                .build();
          }
          if (!target.create(request)) {
            return CreateTabletResponsePB.newBuilder()
                .setError(
                    error(TabletServerErrorPB.Code.WRONG_SERVER_UUID, StatusCode.ILLEGAL_STATE))
                .build();
          }
          return CreateTabletResponsePB.newBuilder()
              .setReplica(target.report(Ids.fromWire(request.getTabletId())))
              .build();
        });
  }

  @Override
  public CompletableFuture<AlterSchemaResponsePB> alterSchema(
      RegisteredServer server, AlterSchemaRequestPB request) {
    FakeTabletServer target = servers.get(server.uuid());
    return call(
        target,
        () -> {
          FakeGroup group = groups.get(Ids.fromWire(request.getTabletId()));
          if (!group.isLedBy(target.uuid())) {
            return AlterSchemaResponsePB.newBuilder()
                .setError(error(TabletServerErrorPB.Code.NOT_THE_LEADER, StatusCode.ILLEGAL_STATE))
                .build();
          }
          group.alter(request);
          target.learn(Ids.fromWire(request.getTabletId()), group.now());
          return AlterSchemaResponsePB.getDefaultInstance();
        });
  }

  @Override
  public CompletableFuture<DeleteTabletResponsePB> deleteTablet(
      RegisteredServer server, DeleteTabletRequestPB request) {
    FakeTabletServer target = servers.get(server.uuid());
    return call(target, () -> delete(target, request));
  }

  private static DeleteTabletResponsePB delete(
      FakeTabletServer target, DeleteTabletRequestPB request) {
    String id = Ids.fromWire(request.getTabletId());
    if (!target.has(id)) {
      target.delete(id);
      return DeleteTabletResponsePB.newBuilder()
          .setError(error(TabletServerErrorPB.Code.TABLET_NOT_FOUND, StatusCode.NOT_FOUND))
          .build();
    }
    if (request.getDeleteType() == TabletDataState.TABLET_DATA_DELETED) {
      target.delete(id);
    } else if (!target.bury(id, request.getCasConfigOpidIndexLessOrEqual())) {
      return DeleteTabletResponsePB.newBuilder()
          .setError(error(TabletServerErrorPB.Code.CAS_FAILED, StatusCode.ILLEGAL_STATE))
          .build();
    }
    return DeleteTabletResponsePB.getDefaultInstance();
  }

  @Override
  public CompletableFuture<ChangeConfigResponsePB> changeConfig(
      RegisteredServer leader, ChangeConfigRequestPB request) {
    FakeTabletServer target = servers.get(leader.uuid());
    return call(target, new MemberChangeCall(target, request));
  }

  /** Asks the leader of a group to change its members. */
  private final class MemberChangeCall implements Supplier<ChangeConfigResponsePB> {
    private final FakeTabletServer target;
    private final ChangeConfigRequestPB request;

    MemberChangeCall(FakeTabletServer target, ChangeConfigRequestPB request) {
      this.target = target;
      this.request = request;
    }

    String tabletId() {
      return Ids.fromWire(request.getTabletId());
    }

    @Override
    public ChangeConfigResponsePB get() {
      FakeGroup group = groups.get(tabletId());
      ChangeConfigResponsePB.Builder answer = ChangeConfigResponsePB.newBuilder();
      if (!group.isLedBy(target.uuid())) {
        answer.setError(error(TabletServerErrorPB.Code.NOT_THE_LEADER, StatusCode.ILLEGAL_STATE));
      } else if (!group.change(request)) {
        answer.setError(error(TabletServerErrorPB.Code.CAS_FAILED, StatusCode.ILLEGAL_STATE));
      }
      return answer.build();
    }
  }

  /**
   * Whether a call that may change the group's members is in flight: the master may have given up
   * on it, and have forgotten its reason.
   */
  boolean mayChangeMembers(String tabletId) {
    return underWay.stream()
        .anyMatch(call -> call instanceof MemberChangeCall c && c.tabletId().equals(tabletId));
  }

  @Override
  public CompletableFuture<LeaderStepDownResponsePB> stepDown(
      RegisteredServer leader, LeaderStepDownRequestPB request) {
    FakeTabletServer target = servers.get(leader.uuid());
    return call(
        target,
        () -> {
          FakeGroup group = groups.get(Ids.fromWire(request.getTabletId()));
          boolean done =
              group.isLedBy(target.uuid())
                  && group.transfer(Ids.fromWire(request.getNewLeaderUuid()));
          LeaderStepDownResponsePB.Builder answer = LeaderStepDownResponsePB.newBuilder();
          if (!done) {
            answer.setError(
                error(TabletServerErrorPB.Code.NOT_THE_LEADER, StatusCode.ILLEGAL_STATE));
          }
          return answer.build();
        });
  }

  private static TabletServerErrorPB error(TabletServerErrorPB.Code code, StatusCode status) {
    return TabletServerErrorPB.newBuilder()
        .setCode(code)
        .setStatus(StatusWire.toWire(status, "fake"))
        .build();
  }

  private static KuduException lost() {
    return KuduException.of(StatusCode.NETWORK_ERROR, "the connection was lost");
  }

  private <A> CompletableFuture<A> call(FakeTabletServer target, Supplier<A> effect) {
    calls++;
    CompletableFuture<A> answer = new CompletableFuture<>();
    boolean lostBefore = target.isSilent() || losesAnswer();
    boolean lostAfter = losesAnswer();
    boolean slow = losesAnswer();
    if (lostBefore || slow) {
      time.after(500, () -> answer.completeExceptionally(lost()));
    }
    if (!lostBefore) { // a slow call takes effect after its sender has given up
      underWay.add(effect);
      time.after(
          slow ? LATE_MILLIS[random.nextInt(LATE_MILLIS.length)] : 1,
          () -> {
            underWay.remove(effect);
            A result = effect.get();
            if (lostAfter) {
              answer.completeExceptionally(lost());
            } else {
              answer.complete(result);
            }
          });
    }
    return answer;
  }
}
