package dev.kudu4j.master.reconcile;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.SysTablesEntryPB;
import dev.kudu4j.common.proto.master.SysTabletsEntryPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletArray;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.membership.Health;
import dev.kudu4j.master.membership.Member;
import dev.kudu4j.master.membership.MoveReason;
import dev.kudu4j.master.observed.MembershipRequest;
import dev.kudu4j.master.observed.ObservedReplica;
import dev.kudu4j.master.observed.ObservedTablet;
import dev.kudu4j.master.observed.ReplicaMove;
import dev.kudu4j.master.observed.TabletStatus;
import dev.kudu4j.master.proto.catalog.PartitioningPB;
import dev.kudu4j.master.proto.catalog.ServerEntryPB;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.master.proto.catalog.TabletEntryPB;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One table of replication factor 3 with one tablet, and its observed state. Servers are called A,
 * B, C and so on; at first the tablet runs on A (the leader), B and C, and nothing is left to do.
 */
final class Scenario {
  static final ReconcilerOptions OPTIONS =
      new ReconcilerOptions(TimeUnit.SECONDS.toMicros(30), TimeUnit.SECONDS.toNanos(60));

  static final String TABLE = "table";
  static final String TABLET = "tablet";

  /** Hours after the start, so that any time in a test is before now. */
  private static final long NOW_SECONDS = 36_000;

  private static final long CONFIG_INDEX = 7;
  private static final long TERM = 2;

  final TableEntryPB.Builder table =
      TableEntryPB.newBuilder()
          .setVersion(1)
          .setName("t")
          .setState(SysTablesEntryPB.State.RUNNING)
          .setSchema(SchemaPB.getDefaultInstance())
          .setSchemaVersion(0)
          .setNextColumnId(1)
          .setPartitioning(PartitioningPB.getDefaultInstance())
          .setNumReplicas(3)
          .setGeneration(0);
  final TabletEntryPB.Builder tablet =
      TabletEntryPB.newBuilder()
          .setVersion(1)
          .setTableId(wire(TABLE))
          .setPartition(PartitionPB.getDefaultInstance())
          .setState(SysTabletsEntryPB.State.RUNNING)
          .setGeneration(0)
          .setCreationVersion(0)
          .setConfig(config("A", "B", "C"));
  private final Map<String, ObservedReplica> replicas = new HashMap<>();
  private final Map<String, ServerEntryPB.State> states = new HashMap<>();
  private final Set<String> silent = new HashSet<>();
  private final Set<String> failed = new HashSet<>();
  private final Set<String> refusals = new HashSet<>();
  private List<String> group = List.of("A", "B", "C");
  private List<String> servers = List.of("A", "B", "C");
  private int reportedVersion;
  private boolean dropping;
  private @Nullable MembershipRequest lastRequest;
  private @Nullable ReplicaMove lastMove;
  private long sessionSeconds = 3_600;

  private static ByteString wire(String id) {
    return ByteString.copyFromUtf8(id);
  }

  private static RaftConfigPB config(String... members) {
    RaftConfigPB.Builder config = RaftConfigPB.newBuilder().setOpidIndex(CONFIG_INDEX);
    for (String member : members) {
      config.addPeers(
          RaftPeerPB.newBuilder()
              .setPermanentUuid(wire(member))
              .setMemberType(RaftPeerPB.MemberType.VOTER));
    }
    return config.build();
  }

  private static long nanosBefore(long seconds) {
    return TimeUnit.SECONDS.toNanos(NOW_SECONDS - seconds);
  }

  /** The live servers. */
  Scenario servers(String... uuids) {
    servers = List.of(uuids);
    return this;
  }

  /** Servers without a heartbeat for a long time. */
  Scenario silent(String... uuids) {
    silent.addAll(List.of(uuids));
    return this;
  }

  Scenario serverState(String uuid, ServerEntryPB.State state) {
    states.put(uuid, state);
    return this;
  }

  Scenario state(SysTablesEntryPB.State state) {
    table.setState(state);
    return this;
  }

  /** Softly deleted at that time, with that reserve time. */
  Scenario softDeleted(long secondsAgo, int reserveSeconds) {
    table
        .setState(SysTablesEntryPB.State.SOFT_DELETED)
        .setDeleteTimeMicros(TimeUnit.SECONDS.toMicros(NOW_SECONDS - secondsAgo))
        .setReserveSeconds(reserveSeconds);
    return this;
  }

  Scenario creationFailed() {
    table.setCreateFailure(StatusWire.toWire(KuduException.invalidArgument("no")));
    return this;
  }

  /** The table has another schema version than the leader of the tablet has reported. */
  Scenario altering(int version, int reported) {
    table.setState(SysTablesEntryPB.State.ALTERING).setSchemaVersion(version);
    reportedVersion = reported;
    return this;
  }

  /** The tablet is being dropped from its table. */
  Scenario dropping() {
    dropping = true;
    table.addDroppingTabletIds(wire(TABLET));
    return this;
  }

  /** The tablet was created that long ago, has had no leader yet, and no replica is recorded. */
  Scenario creating(long secondsAgo) {
    tablet
        .setState(SysTabletsEntryPB.State.CREATING)
        .setCreateTimeMicros(TimeUnit.SECONDS.toMicros(NOW_SECONDS - secondsAgo));
    return uncreated("A", "B", "C").unreported();
  }

  Scenario uncreated(String... members) {
    for (String member : members) {
      tablet.addUncreatedUuids(wire(member));
    }
    return this;
  }

  Scenario others(String... uuids) {
    for (String uuid : uuids) {
      tablet.addOtherUuids(wire(uuid));
    }
    return this;
  }

  /** No leader has reported in this session. */
  Scenario unreported() {
    group = List.of();
    return this;
  }

  /** The members that the leader reports; the first one leads. */
  Scenario group(String... members) {
    group = List.of(members);
    return this;
  }

  Scenario failed(String member) {
    failed.add(member);
    return this;
  }

  Scenario replica(ObservedReplica.State state, long secondsAgo, String... uuids) {
    for (String uuid : uuids) {
      replicas.put(uuid, new ObservedReplica(state, nanosBefore(secondsAgo)));
    }
    return this;
  }

  Scenario refusedBy(String... uuids) {
    refusals.addAll(List.of(uuids));
    return this;
  }

  Scenario requested(String subject, boolean joining, boolean accepted, long secondsAgo) {
    lastRequest =
        new MembershipRequest(
            TERM, CONFIG_INDEX, subject, joining, accepted, nanosBefore(secondsAgo));
    return this;
  }

  Scenario moving(String source, String target, long secondsAgo) {
    lastMove = new ReplicaMove(source, target, MoveReason.CLUSTER, false, nanosBefore(secondsAgo));
    return this;
  }

  Scenario sessionBegan(long secondsAgo) {
    sessionSeconds = secondsAgo;
    return this;
  }

  TableInfo tableInfo() {
    TabletInfo recorded = new TabletInfo(TABLET, tablet.build());
    return new TableInfo(
        TABLE,
        table.build(),
        new TabletArray(dropping ? List.of() : List.of(recorded)),
        dropping ? List.of(recorded) : List.of());
  }

  ObservedTablet observed() {
    TabletStatus status = TabletStatus.UNKNOWN;
    if (!group.isEmpty()) {
      List<Member> members =
          group.stream()
              .map(
                  uuid ->
                      new Member(
                          uuid,
                          true,
                          false,
                          failed.contains(uuid) ? Health.FAILED : Health.HEALTHY))
              .toList();
      String leader = group.get(0);
      status =
          new TabletStatus(
              TERM,
              leader,
              reportedVersion,
              -1,
              -1,
              new Group(leader, TERM, CONFIG_INDEX, members));
    }
    return new ObservedTablet(status, replicas, refusals, lastRequest, lastMove, Map.of());
  }

  ClusterView view() {
    Set<String> live = new HashSet<>(servers);
    live.removeAll(silent);
    Set<String> available = new HashSet<>(live);
    available.removeAll(states.keySet());
    ObservedTablet observed = observed();
    return new ClusterView(
        id -> id.equals(TABLET) ? observed : ObservedTablet.UNKNOWN,
        new ServerView(live, available, states),
        nanosBefore(0),
        TimeUnit.SECONDS.toMicros(NOW_SECONDS),
        TimeUnit.SECONDS.toMicros(NOW_SECONDS - sessionSeconds));
  }

  /** The actions as text: {@code "create A"}, {@code "alter"}. */
  Stream<String> actions() {
    return new Reconciler(OPTIONS).reconcile(tableInfo(), view()).stream().map(Scenario::describe);
  }

  private static String describe(Action action) {
    if (action instanceof Action.CreateReplica create) {
      return "create " + create.serverUuid();
    } else if (action instanceof Action.DeleteReplica delete) {
      return "delete " + delete.serverUuid();
    } else if (action instanceof Action.TombstoneReplica tombstone) {
      return "tombstone " + tombstone.serverUuid();
    } else if (action instanceof Action.RecordCreated record) {
      return "record " + record.serverUuid();
    } else if (action instanceof Action.AlterSchema) {
      return "alter";
    } else if (action instanceof Action.ChangeMembership) {
      return "members";
    } else if (action instanceof Action.ReplaceTablet) {
      return "replace";
    } else if (action instanceof Action.FinishTable) {
      return "finish";
    }
    return "remove expired";
  }
}
