package dev.kudu4j.master.group;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.masters.CopyCatalogRequestPB;
import dev.kudu4j.common.proto.masters.CopyCatalogResponsePB;
import dev.kudu4j.common.proto.masters.IntroduceRequestPB;
import dev.kudu4j.common.proto.masters.IntroduceResponsePB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.CatalogMembers;
import dev.kudu4j.master.tables.Delays;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.raft.RaftHost;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The masters at the addresses of {@code --master_addresses}, identified by their responses. This
 * master finds its own address among them in the same way. Thread-safe.
 */
public final class MasterPeers {
  private static final long FIND_TIMEOUT_MILLIS = 1_000;
  private static final long FIRST_PAUSE_MILLIS = 1_000;
  private static final long LONGEST_PAUSE_MILLIS = 8_000;

  private final List<HostPort> addresses;
  private final String self;
  private final RpcClient client;
  private final Map<String, HostPort> known = new ConcurrentHashMap<>();
  private final Set<HostPort> answered = ConcurrentHashMap.newKeySet();

  /**
   * @param addresses the addresses of all masters; empty if this master is the only one
   * @param self this master's uuid
   * @param client borrowed
   */
  public MasterPeers(List<HostPort> addresses, String self, RpcClient client) {
    this.addresses = List.copyOf(addresses);
    this.self = self;
    this.client = client;
  }

  /** The addresses in {@code --master_addresses}. */
  public List<HostPort> addresses() {
    return addresses;
  }

  /** Whether there are no other masters to ask at the start. */
  public boolean isAlone() {
    return addresses.size() <= 1;
  }

  /** The address at which the master with this uuid has answered; empty if it has not. */
  public Optional<HostPort> find(String uuid) {
    return Optional.ofNullable(known.get(uuid));
  }

  /**
   * The other masters that answer within the timeout, with their present Raft addresses. Fails with
   * CONFIGURATION when two addresses lead to one master.
   */
  public CompletableFuture<List<RaftHost.Peer>> discoverPeers(long timeoutMillis) {
    if (isAlone()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return ask(timeoutMillis)
        .thenApply(
            round ->
                round.peers().stream().filter(peer -> !peer.serverUuid().equals(self)).toList());
  }

  /** Asks all addresses; completes when each has answered or failed, and never fails itself. */
  CompletableFuture<PeerDiscovery> ask(long timeoutMillis) {
    Map<HostPort, IntroduceResponsePB> answers = new LinkedHashMap<>();
    Map<HostPort, String> failures = new LinkedHashMap<>();
    List<CompletableFuture<Void>> calls =
        addresses.stream()
            .map(
                address ->
                    introduce(address, timeoutMillis)
                        .handle(
                            (answer, failure) -> note(address, answer, failure, answers, failures)))
            .toList();
    return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
        .thenApply(done -> new PeerDiscovery(answers, failures));
  }

  private Void note(
      HostPort address,
      IntroduceResponsePB answer,
      Throwable failure,
      Map<HostPort, IntroduceResponsePB> answers,
      Map<HostPort, String> failures) {
    synchronized (answers) {
      if (failure == null) {
        answers.put(address, answer);
        recordPeer(PeerDiscovery.uuid(answer), address);
      } else {
        failures.put(address, String.valueOf(failure.getMessage()));
      }
    }
    return null;
  }

  private void recordPeer(String uuid, HostPort address) {
    known.put(uuid, address);
    answered.add(address);
  }

  /**
   * Asks the addresses where no master has answered yet, again and again, until one has answered at
   * each. This finds masters that start late, or on another port than the one in the catalog's log.
   */
  public void findAll(Delays delays) {
    if (!isAlone()) {
      delays.after(FIRST_PAUSE_MILLIS, () -> findAll(delays, FIRST_PAUSE_MILLIS));
    }
  }

  private void findAll(Delays delays, long pauseMillis) {
    List<HostPort> missing =
        addresses.stream().filter(address -> !answered.contains(address)).toList();
    if (missing.isEmpty()) {
      return;
    }
    List<CompletableFuture<Void>> calls =
        missing.stream()
            .map(
                address ->
                    introduce(address, FIND_TIMEOUT_MILLIS)
                        .thenAccept(answer -> recordPeer(PeerDiscovery.uuid(answer), address)))
            .toList();
    long nextPauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
        .whenComplete(
            (done, failure) -> delays.after(pauseMillis, () -> findAll(delays, nextPauseMillis)));
  }

  /** Asks the master at one address to identify itself; fails when the response is not valid. */
  public CompletableFuture<IntroduceResponsePB> introduce(HostPort address, long timeoutMillis) {
    return call(
            address,
            MasterPeerService.NAME,
            MasterPeerService.INTRODUCE,
            IntroduceRequestPB.newBuilder().setUuid(ByteString.copyFromUtf8(self)).build(),
            IntroduceResponsePB.parser(),
            timeoutMillis)
        .thenApply(PeerDiscovery::checked);
  }

  /**
   * Fetches the catalog of a master, one part after the other; fails with the error of that master
   * when it has no catalog.
   *
   * @param timeoutMillis the timeout of each part
   */
  CompletableFuture<CopyCatalogResponsePB> copyCatalog(HostPort address, long timeoutMillis) {
    CopyCatalogRequestPB first =
        CopyCatalogRequestPB.newBuilder().setUuid(ByteString.copyFromUtf8(self)).build();
    return copyPart(address, timeoutMillis, first)
        .thenCompose(part -> copyRest(address, timeoutMillis, first, part, part.toBuilder()));
  }

  private CompletableFuture<CopyCatalogResponsePB> copyRest(
      HostPort address,
      long timeoutMillis,
      CopyCatalogRequestPB first,
      CopyCatalogResponsePB last,
      CopyCatalogResponsePB.Builder copy) {
    if (!last.getMore()) {
      return CompletableFuture.completedFuture(copy.clearMore().build());
    }
    CopyCatalogResponsePB.EntryPB entry = last.getEntries(last.getEntriesCount() - 1);
    CopyCatalogRequestPB next =
        first.toBuilder()
            .setIndex(copy.getIndex())
            .setAfterKind(entry.getKind())
            .setAfterId(entry.getId())
            .build();
    return copyPart(address, timeoutMillis, next)
        .thenCompose(
            part ->
                copyRest(
                    address,
                    timeoutMillis,
                    first,
                    part,
                    copy.addAllEntries(part.getEntriesList())));
  }

  private CompletableFuture<CopyCatalogResponsePB> copyPart(
      HostPort address, long timeoutMillis, CopyCatalogRequestPB request) {
    return call(
            address,
            MasterPeerService.NAME,
            MasterPeerService.COPY_CATALOG,
            request,
            CopyCatalogResponsePB.parser(),
            timeoutMillis)
        .thenApply(
            part -> {
              if (part.hasError()) {
                throw StatusWire.fromWire(part.getError());
              }
              part.getMembersList().forEach(CatalogMembers::fromWire);
              return part;
            });
  }

  /** Calls a master. The caller checks the error in the response. */
  <R extends Message> CompletableFuture<R> call(
      HostPort address,
      String service,
      String method,
      Message request,
      Parser<R> parser,
      long timeoutMillis) {
    return client
        .call(
            address.unresolved(),
            service,
            method,
            request,
            parser,
            RpcCallOptions.timeoutMillis(timeoutMillis))
        .thenApply(
            response -> {
              try (response) {
                return response.message();
              }
            });
  }
}
