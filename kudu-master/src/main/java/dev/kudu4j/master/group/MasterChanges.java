package dev.kudu4j.master.group;

import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.master.AddMasterRequestPB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.RemoveMasterRequestPB;
import dev.kudu4j.common.proto.masters.IntroduceResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.failure.MasterException;
import dev.kudu4j.master.service.MasterMembership;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.replica.members.MemberChange;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Adds and removes masters while the cluster runs, on the leading master. A new master joins the
 * catalog's group as a new replica joins any tablet: it copies the catalog, follows the log, and
 * votes when it has caught up.
 */
public final class MasterChanges implements MasterMembership {
  private static final long TIMEOUT_MILLIS = 5_000;

  private final MasterPeers peers;
  private final CatalogGroup group;

  public MasterChanges(MasterPeers peers, CatalogGroup group) {
    this.peers = peers;
    this.group = group;
  }

  /**
   * Adds the master at an address; completes when a majority has logged the configuration that
   * includes it. Fails with MASTER_ALREADY_PRESENT for a member, ILLEGAL_STATE for a master that
   * has a catalog.
   */
  @Override
  public CompletableFuture<Void> add(AddMasterRequestPB request) {
    HostPort address = address(request.hasRpcAddr(), request.getRpcAddr());
    return peers
        .introduce(address, TIMEOUT_MILLIS)
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    KuduException.serviceUnavailable(
                        "No master answers at %s (%s); start it there, with --master_addresses"
                            + " naming all masters and itself",
                        address, failure.getMessage())))
        .thenCompose(answer -> add(address, answer));
  }

  private CompletableFuture<Void> add(HostPort address, IntroduceResponsePB newcomer) {
    String uuid = HexId.require("uuid of the new master", newcomer.getUuid());
    if (find(uuid, null) != null) {
      throw MasterException.of(
          MasterErrorPB.Code.MASTER_ALREADY_PRESENT,
          StatusCode.ALREADY_PRESENT,
          "master %s at %s is a member already",
          uuid,
          address);
    }
    if (newcomer.getMembersCount() > 0) {
      throw KuduException.illegalState(
          "Master %s at %s has a catalog of its own; only one on an empty directory can be added",
          uuid, address);
    }
    return replica()
        .changeMembers(
            List.of(new MemberChange.Add(uuid, address.toString(), true, false)),
            OptionalLong.empty());
  }

  /**
   * Removes a master, running or not; completes when a majority of the remaining masters has logged
   * the configuration without it.
   */
  @Override
  public CompletableFuture<Void> remove(RemoveMasterRequestPB request) {
    HostPort address = address(request.hasRpcAddr(), request.getRpcAddr());
    String uuid = request.hasMasterUuid() ? request.getMasterUuid() : null;
    ConsensusView.Member member = find(uuid, address);
    if (member == null) {
      throw KuduException.notFound(
          "No master %s at %s is a member; kudu master list lists them",
          uuid == null ? "" : UntrustedText.format(uuid), address);
    }
    if (member.serverUuid().equals(replica().consensus().leaderUuid())) {
      throw KuduException.illegalState(
          "Master %s leads; let another one lead first, as with kudu tablet leader_step_down %s",
          member.serverUuid(), replica().tabletId());
    }
    return replica()
        .changeMembers(List.of(new MemberChange.Remove(member.serverUuid())), OptionalLong.empty());
  }

  /**
   * The member with the uuid and the address, of which either may be null and then matches any;
   * null if there is no such member.
   */
  private ConsensusView.Member find(String uuid, HostPort address) {
    return group.configured().stream()
        .filter(member -> uuid == null || member.serverUuid().equals(uuid))
        .filter(
            member -> address == null || group.address(member).filter(address::equals).isPresent())
        .findFirst()
        .orElse(null);
  }

  private TabletReplica replica() {
    return group.replica();
  }

  private static HostPort address(boolean given, HostPortPB address) {
    if (!given) {
      throw KuduException.invalidArgument("The request does not say where the master is");
    }
    return HostPort.fromWire("rpc_addr", address);
  }
}
