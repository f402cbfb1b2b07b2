package dev.kudu4j.master.group;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationRequestPB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationResponsePB;
import dev.kudu4j.common.proto.master.ServerEntryPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.service.MasterGroup;
import dev.kudu4j.master.service.MasterService;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.rpc.ServerIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The masters: the members of the catalog's Raft group or, as long as there is none, the configured
 * addresses. Thread-safe.
 */
public final class CatalogGroup implements MasterGroup {
  private static final long TIMEOUT_MILLIS = 2_000;

  private final ServerIdentity identity;
  private final MasterPeers peers;
  private final Supplier<Optional<TabletReplica>> replica;

  /**
   * @param replica this master's replica of the catalog; empty until it is open
   */
  public CatalogGroup(
      ServerIdentity identity, MasterPeers peers, Supplier<Optional<TabletReplica>> replica) {
    this.identity = identity;
    this.peers = peers;
    this.replica = replica;
  }

  /**
   * @throws KuduException SERVICE_UNAVAILABLE when the replica of the catalog is not open yet
   */
  TabletReplica replica() {
    return replica
        .get()
        .orElseThrow(() -> KuduException.serviceUnavailable("The catalog is not open here yet"));
  }

  @Override
  public NodeInstancePB instance() {
    return identity.nodeInstance();
  }

  @Override
  public ServerRegistrationPB registration() {
    ServerRegistrationPB.Builder registration =
        ServerRegistrationPB.newBuilder()
            .setSoftwareVersion("kudu4j " + identity.version())
            .setHttpsEnabled(false)
            .setStartTime(TimeUnit.MICROSECONDS.toSeconds(identity.startedMicros()));
    identity.rpcAddresses().forEach(a -> registration.addRpcAddresses(ServerIdentity.toWire(a)));
    identity
        .httpAddresses()
        .get()
        .forEach(a -> registration.addHttpAddresses(ServerIdentity.toWire(a)));
    return registration.build();
  }

  /**
   * The voters of the catalog's group with their addresses; empty without a catalog. A master that
   * is still joining is left out: if it found itself among the members in a response, it would
   * create the group.
   */
  public List<RaftHost.Peer> voters() {
    return configured().stream()
        .filter(ConsensusView.Member::voter)
        .flatMap(
            member ->
                HostPort.recorded(member.raftAddress()).stream()
                    .map(
                        raft ->
                            new RaftHost.Peer(
                                member.serverUuid(),
                                raft.host(),
                                raft.port(),
                                address(member).map(HostPort::toString).orElse(null))))
        .toList();
  }

  /** All members of the catalog's group, including non-voters; empty without a catalog. */
  List<ConsensusView.Member> configured() {
    return replica.get().map(running -> running.consensus().members()).orElse(List.of());
  }

  /** The RPC address of a member; empty if it is not known. */
  Optional<HostPort> address(ConsensusView.Member member) {
    if (member.serverUuid().equals(identity.uuid())) {
      return Optional.of(ownAddress());
    }
    return peers
        .find(member.serverUuid())
        .or(() -> Optional.ofNullable(member.rpcAddress()).flatMap(HostPort::recorded));
  }

  /**
   * This master's address as written in {@code --master_addresses}, if this master has been found
   * there. Clients compare this address with their configuration.
   */
  private HostPort ownAddress() {
    return peers.addresses().size() == 1
        ? peers.addresses().get(0)
        : peers.find(identity.uuid()).orElseGet(() -> identity.rpcAddresses().get(0));
  }

  @Override
  public List<HostPortPB> addresses() {
    List<HostPort> addresses = new ArrayList<>();
    configured().forEach(member -> address(member).ifPresent(addresses::add));
    if (addresses.isEmpty()) {
      addresses.addAll(peers.isAlone() ? List.of(ownAddress()) : peers.addresses());
    }
    return addresses.stream().map(ServerIdentity::toWire).toList();
  }

  @Override
  public CompletableFuture<List<ServerEntryPB>> others() {
    List<CompletableFuture<ServerEntryPB>> entries =
        configured().stream()
            .filter(member -> !member.serverUuid().equals(identity.uuid()))
            .map(this::entry)
            .toList();
    return CompletableFuture.allOf(entries.toArray(CompletableFuture[]::new))
        .thenApply(done -> entries.stream().map(CompletableFuture::join).toList());
  }

  private CompletableFuture<ServerEntryPB> entry(ConsensusView.Member member) {
    return address(member)
        .map(address -> askWho(address, member))
        .orElseGet(
            () ->
                CompletableFuture.failedFuture(
                    KuduException.notFound(
                        "No address of master %s is known", member.serverUuid())))
        .exceptionally(failure -> unreachable(member, failure));
  }

  private CompletableFuture<ServerEntryPB> askWho(HostPort address, ConsensusView.Member member) {
    return peers
        .call(
            address,
            MasterService.NAME,
            "GetMasterRegistration",
            GetMasterRegistrationRequestPB.getDefaultInstance(),
            GetMasterRegistrationResponsePB.parser(),
            TIMEOUT_MILLIS)
        .thenApply(
            answer -> {
              if (!Ids.fromWire(answer.getInstanceId().getPermanentUuid())
                  .equals(member.serverUuid())) {
                throw KuduException.illegalState(
                    "The master at %s is not %s", address, member.serverUuid());
              }
              ServerEntryPB.Builder entry =
                  ServerEntryPB.newBuilder()
                      .setInstanceId(answer.getInstanceId())
                      .setRegistration(answer.getRegistration())
                      .setRole(answer.getRole())
                      .setMemberType(memberType(member));
              if (answer.hasClusterId()) {
                entry.setClusterId(answer.getClusterId());
              }
              return entry.build();
            });
  }

  private static RaftPeerPB.MemberType memberType(ConsensusView.Member member) {
    return member.voter() ? RaftPeerPB.MemberType.VOTER : RaftPeerPB.MemberType.NON_VOTER;
  }

  /**
   * The entry of a master that cannot be reached: the error, with the uuid and the address that the
   * group has for it.
   */
  private ServerEntryPB unreachable(ConsensusView.Member member, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    StatusCode code =
        cause instanceof KuduException known ? known.code() : StatusCode.RUNTIME_ERROR;
    ServerRegistrationPB.Builder registration = ServerRegistrationPB.newBuilder();
    address(member).ifPresent(a -> registration.addRpcAddresses(ServerIdentity.toWire(a)));
    return ServerEntryPB.newBuilder()
        .setError(StatusWire.toWire(code, String.valueOf(cause.getMessage())))
        .setInstanceId(
            NodeInstancePB.newBuilder()
                .setPermanentUuid(Ids.toWire(member.serverUuid()))
                .setInstanceSeqno(0))
        .setRegistration(registration)
        .setRole(RaftPeerPB.Role.UNKNOWN_ROLE)
        .setMemberType(memberType(member))
        .build();
  }
}
