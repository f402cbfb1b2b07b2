package dev.kudu4j.client.cluster;

import dev.kudu4j.client.cluster.RemoteReplica.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Chooses the next replica to ask. Replicas that failed in this round of a {@link TabletRequest}
 * are excluded. Replicas whose server is suspect come last, and their server is pinged in the
 * background.
 */
final class ReplicaChooser {
  private final ServerLinkCache links;
  private final Locality locality;
  private final Supplier<String> clientLocation;

  ReplicaChooser(ServerLinkCache links, Locality locality, Supplier<String> clientLocation) {
    this.links = links;
    this.locality = locality;
    this.clientLocation = clientLocation;
  }

  /**
   * The replica to ask, or null when all have failed in this round.
   *
   * @param failed ids of the servers that failed in this round
   */
  RemoteReplica choose(RemoteTablet tablet, ReplicaChoice choice, Set<String> failed) {
    if (choice == ReplicaChoice.LEADER && failed.isEmpty()) {
      RemoteReplica leader = tablet.leader();
      if (leader != null && !links.tabletServer(leader).isSuspect()) {
        return leader;
      }
    }
    return search(tablet, choice, failed);
  }

  private RemoteReplica search(RemoteTablet tablet, ReplicaChoice choice, Set<String> failed) {
    List<RemoteReplica> candidates = new ArrayList<>(tablet.replicas());
    candidates.removeIf(replica -> failed.contains(replica.serverId()));
    if (candidates.isEmpty()) {
      return null;
    }
    Collections.shuffle(candidates, ThreadLocalRandom.current());
    candidates.sort(choice == ReplicaChoice.LEADER ? BY_ROLE : byDistance());
    for (RemoteReplica replica : candidates) {
      ServerLink link = links.tabletServer(replica);
      if (!link.isSuspect()) {
        return replica;
      }
      link.probe();
    }
    return candidates.get(0);
  }

  private static final Comparator<RemoteReplica> BY_ROLE =
      Comparator.comparingInt(replica -> replica.role().ordinal());

  private Comparator<RemoteReplica> byDistance() {
    String here = clientLocation.get();
    Predicate<RemoteReplica> sameLocation =
        replica -> !here.isEmpty() && here.equals(replica.location());
    return Comparator.comparing((RemoteReplica replica) -> replica.role() == Role.LEARNER)
        .thenComparing(replica -> !locality.isLocal(replica.host()))
        .thenComparing(replica -> !sameLocation.test(replica));
  }
}
