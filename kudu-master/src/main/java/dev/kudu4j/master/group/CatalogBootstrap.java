package dev.kudu4j.master.group;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.tables.Delays;
import dev.kudu4j.server.raft.RaftHost;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets masters without a catalog agree on the members of its group. Each master asks all configured
 * addresses, round after round, until the responses of one round decide on the members:
 *
 * <pre>
 *   some catalog's group includes this master               the members of that group
 *   no catalog exists, all have found the same masters      these masters
 *   otherwise                                               another round
 * </pre>
 *
 * <p>A master creates the group only after every master has reported the same set of masters. So
 * two groups with different members cannot be created as long as every master keeps its disk.
 * Masters are compared by uuid, not by address.
 *
 * <p>Thread-safe; one round is under way at a time.
 */
public final class CatalogBootstrap {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogBootstrap.class);
  private static final long ROUND_TIMEOUT_MILLIS = 2_000;
  private static final long PAUSE_MILLIS = 50;
  private static final long LATER_PAUSE_MILLIS = 500;
  private static final int QUICK_ROUNDS = 100;
  private static final int MAX_MASTERS = 7;

  /** One round: asks all configured addresses once. */
  interface Round {
    CompletableFuture<PeerDiscovery> ask();
  }

  private final Round rounds;
  private final String addresses;
  private final String self;
  private final Delays delays;
  private final CompletableFuture<List<RaftHost.Peer>> members = new CompletableFuture<>();
  private volatile Set<String> found = Set.of();
  private int roundCount;
  private String lastLogged = "";

  /**
   * @param self this master's uuid
   */
  public CatalogBootstrap(MasterPeers peers, String self, Delays delays) {
    this(() -> peers.ask(ROUND_TIMEOUT_MILLIS), peers.addresses().toString(), self, delays);
  }

  CatalogBootstrap(Round rounds, String addresses, String self, Delays delays) {
    this.rounds = rounds;
    this.addresses = addresses;
    this.self = self;
    this.delays = delays;
  }

  /**
   * The uuids of the masters found in the last round in which all addresses answered; empty before
   * such a round.
   */
  public Set<String> found() {
    return found;
  }

  /**
   * Starts the rounds; completes with the members once they are decided. Fails with CONFIGURATION
   * when {@code --master_addresses} must be wrong.
   */
  public CompletableFuture<List<RaftHost.Peer>> begin() {
    round();
    return members;
  }

  private void round() {
    rounds
        .ask()
        .thenAccept(this::roundEnded)
        .exceptionally(
            failure -> {
              members.completeExceptionally(failure);
              return null;
            });
  }

  private void roundEnded(PeerDiscovery round) {
    List<RaftHost.Peer> existing = round.members();
    if (existing.stream().anyMatch(member -> member.serverUuid().equals(self))) {
      members.complete(existing);
    } else if (!existing.isEmpty()) {
      again(
          "The masters have a catalog and this master is not a member of its group; add it with"
              + " kudu master add");
    } else if (!round.isComplete()) {
      again(
          "The catalog is created when all masters are found; not found yet: " + round.failures());
    } else {
      check(round);
      found = round.uuids();
      if (round.agree()) {
        members.complete(round.peers());
      } else if (round.disagreeing().isEmpty()) {
        again("");
      } else {
        again(
            "On this master, --master_addresses names the masters "
                + round.uuids()
                + "; on other masters, it names different ones: "
                + round.disagreeing());
      }
    }
  }

  private void check(PeerDiscovery round) {
    List<RaftHost.Peer> all = round.peers();
    if (!round.uuids().contains(self)) {
      throw KuduException.configuration(
          "None of --master_addresses=%s is this master; name all masters, including this one",
          addresses);
    }
    if (all.size() % 2 == 0 || all.size() > MAX_MASTERS) {
      throw KuduException.configuration(
          "--master_addresses names %d masters; a cluster begins with 1, 3 or 5", all.size());
    }
  }

  private void again(String reason) {
    if (!reason.isEmpty() && !reason.equals(lastLogged)) {
      LOG.info(reason);
      lastLogged = reason;
    }
    delays.after(++roundCount < QUICK_ROUNDS ? PAUSE_MILLIS : LATER_PAUSE_MILLIS, this::round);
  }
}
