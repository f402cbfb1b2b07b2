package dev.kudu4j.master.tables;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.ChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigType;
import dev.kudu4j.common.proto.consensus.LeaderStepDownMode;
import dev.kudu4j.common.proto.consensus.LeaderStepDownRequestPB;
import dev.kudu4j.common.proto.consensus.RaftPeerAttrsPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.membership.MembershipChange;
import dev.kudu4j.master.observed.MembershipRequest;
import dev.kudu4j.master.observed.ObservedTablet;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.reconcile.Reconciler;
import dev.kudu4j.server.logging.LogMarkers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the leader of one tablet for the change of members that the tablet needs. Each attempt
 * requests one change; the next change is decided when the leader has reported the resulting
 * members.
 */
final class MembershipTask implements TabletTask {
  private static final Logger LOG = LoggerFactory.getLogger(MembershipTask.class);
  private static final CompletableFuture<Outcome> DONE =
      CompletableFuture.completedFuture(Outcome.DONE);
  private static final CompletableFuture<Outcome> LATER =
      CompletableFuture.completedFuture(Outcome.AGAIN_LATER);

  private final TaskContext context;
  private final String tabletId;

  /** A change and the configuration that it was decided for. */
  private record Decision(TableInfo table, Group group, MembershipChange change) {}

  MembershipTask(TaskContext context, String tabletId) {
    this.context = context;
    this.tabletId = tabletId;
  }

  @Override
  public String key() {
    return "members of " + tabletId;
  }

  @Override
  public String server() {
    String leader = context.observed().status(tabletId).leader();
    return leader == null ? "" : leader;
  }

  /**
   * Runs on the worker, because the attempt may write to the catalog: a new member is recorded
   * before the leader is asked to add it.
   */
  @Override
  public CompletableFuture<Outcome> attempt() {
    return CompletableFuture.supplyAsync(this::ask, context.worker())
        .thenCompose(outcome -> outcome);
  }

  private Optional<Decision> decide() {
    TabletInfo tablet = context.catalog().tablet(tabletId);
    TableInfo table = tablet == null ? null : context.catalog().table(tablet.tableId());
    if (table == null) {
      return Optional.empty();
    }
    ObservedTablet observed = context.observed().get(tabletId);
    Group group = observed.status().currentGroup();
    return Reconciler.membershipChange(table, tablet, observed, context.view().get())
        .map(change -> new Decision(table, group, change));
  }

  private CompletableFuture<Outcome> ask() {
    Optional<Decision> decided = decide();
    if (decided.isEmpty()) {
      return DONE;
    }
    Decision decision = decided.get();
    RegisteredServer leader = context.servers().get(decision.group().leader());
    if (leader == null) {
      return LATER;
    }
    MembershipChange change = decision.change();
    if (change instanceof MembershipChange.Remove remove) {
      return remove(leader, decision, leastWanted(decision, remove.anyOf()));
    }
    if (change instanceof MembershipChange.TransferLeadership transfer) {
      return transfer(leader, decision, context.members().nextLeader(transfer.anyOf()));
    }
    RegisteredServer joiner = joiner(decision);
    return joiner == null ? DONE : add(leader, decision, joiner);
  }

  private String leastWanted(Decision decision, List<String> anyOf) {
    return context
        .members()
        .leastWanted(decision.group(), decision.table().replicationFactor(), anyOf);
  }

  /**
   * The server to add: the server of the last request if this request repeats it and that server is
   * still usable, else a newly chosen server.
   */
  private RegisteredServer joiner(Decision decision) {
    String before = context.observed().get(tabletId).joining(decision.group());
    RegisteredServer server = before == null ? null : context.servers().get(before);
    boolean usable =
        server != null
            && context.servers().isFresh(server)
            && context.catalog().takesReplicas(server.uuid());
    return usable
        ? server
        : context
            .members()
            .newMember(tabletId, decision.group(), decision.table().replicationFactor());
  }

  private CompletableFuture<Outcome> add(
      RegisteredServer leader, Decision decision, RegisteredServer joiner) {
    if (isNew(decision, joiner.uuid())) {
      LOG.info(
          LogMarkers.ON_DEMAND,
          "T {}: Adds a replica on P {}, since {}; leader P {}",
          tabletId,
          joiner.uuid(),
          reasons(decision).forAdding(),
          leader.uuid());
    }
    requested(decision, joiner.uuid(), true, false);
    recordHolder(joiner.uuid());
    RaftPeerPB peer =
        joiner.asVoter().toBuilder()
            .setMemberType(RaftPeerPB.MemberType.NON_VOTER)
            .setAttrs(RaftPeerAttrsPB.newBuilder().setPromote(true))
            .build();
    return change(leader, decision, ChangeConfigType.ADD_PEER, peer);
  }

  /** Whether this change is requested for the first time: a repetition is not logged. */
  private boolean isNew(Decision decision, String subject) {
    MembershipRequest last = context.observed().get(tabletId).lastRequest();
    return last == null || !last.appliesTo(decision.group()) || !last.subject().equals(subject);
  }

  private MembershipReasons reasons(Decision decision) {
    ObservedTablets observed = context.observed();
    return new MembershipReasons(
        decision.group(),
        decision.table().replicationFactor(),
        context.catalog(),
        observed.get(tabletId).move(observed.nowNanos()));
  }

  private void requested(Decision decision, String subject, boolean joining, boolean accepted) {
    context.observed().membershipRequested(tabletId, decision.group(), subject, joining, accepted);
  }

  /**
   * Records that the server may have a replica. If it does not become a member, the reconciler then
   * has the replica tombstoned.
   */
  private void recordHolder(String serverUuid) {
    context
        .catalog()
        .change(
            edit -> {
              TabletInfo tablet = context.catalog().tablet(tabletId);
              if (tablet != null && tablet.holders().noneMatch(serverUuid::equals)) {
                edit.putTablet(
                    tabletId,
                    tablet.entry().toBuilder().addOtherUuids(Ids.toWire(serverUuid)).build());
              }
              return null;
            });
  }

  private CompletableFuture<Outcome> remove(
      RegisteredServer leader, Decision decision, String uuid) {
    if (isNew(decision, uuid)) {
      LOG.info(
          LogMarkers.ON_DEMAND,
          "T {}: Evicts the replica on P {}, since {}; leader P {}",
          tabletId,
          uuid,
          reasons(decision).forEvicting(uuid),
          leader.uuid());
    }
    requested(decision, uuid, false, false);
    RaftPeerPB peer = RaftPeerPB.newBuilder().setPermanentUuid(Ids.toWire(uuid)).build();
    return change(leader, decision, ChangeConfigType.REMOVE_PEER, peer);
  }

  private CompletableFuture<Outcome> change(
      RegisteredServer leader, Decision decision, ChangeConfigType type, RaftPeerPB peer) {
    ChangeConfigRequestPB request =
        ChangeConfigRequestPB.newBuilder()
            .setDestUuid(Ids.toWire(leader.uuid()))
            .setTabletId(Ids.toWire(tabletId))
            .setType(type)
            .setServer(peer)
            .setCasConfigOpidIndex(decision.group().configIndex())
            .build();
    String subject = Ids.fromWire(peer.getPermanentUuid());
    boolean joining = type == ChangeConfigType.ADD_PEER;
    return context
        .calls()
        .changeConfig(leader, request)
        .thenApply(
            answer ->
                answered(decision, subject, joining, answer.hasError() ? answer.getError() : null));
  }

  private CompletableFuture<Outcome> transfer(
      RegisteredServer leader, Decision decision, String successor) {
    ByteString uuid = Ids.toWire(successor);
    LeaderStepDownRequestPB request =
        LeaderStepDownRequestPB.newBuilder()
            .setDestUuid(Ids.toWire(leader.uuid()))
            .setTabletId(Ids.toWire(tabletId))
            .setMode(LeaderStepDownMode.GRACEFUL)
            .setNewLeaderUuid(uuid)
            .build();
    if (isNew(decision, successor)) {
      LOG.info(
          LogMarkers.ON_DEMAND,
          "T {}: Transfers the leadership from P {} to P {}, since {}",
          tabletId,
          leader.uuid(),
          successor,
          reasons(decision).forEvicting(leader.uuid()));
    }
    requested(decision, successor, false, false);
    return context
        .calls()
        .stepDown(leader, request)
        .thenApply(
            answer ->
                answered(decision, successor, false, answer.hasError() ? answer.getError() : null));
  }

  private Outcome answered(
      Decision decision, String subject, boolean joining, TabletServerErrorPB error) {
    if (error != null) {
      LOG.debug(
          "The leader of tablet {} refuses {}: {}",
          tabletId,
          decision.change(),
          error.getStatus().getMessage());
      return Outcome.AGAIN_LATER;
    }
    requested(decision, subject, joining, true);
    return Outcome.DONE;
  }

  @Override
  public String toString() {
    return "Change of the members of tablet " + tabletId;
  }
}
