package dev.kudu4j.server.replica;

import java.util.function.Consumer;

/**
 * Carries questions of replicas to those who lead: somebody wants to read a snapshot here that this
 * replica cannot vouch for. Until it is known how to reach other servers, questions are dropped,
 * and the reader waits for what the leader tells by itself.
 */
public final class LeaderQuestions {
  private volatile Consumer<TabletReplica> carrier = replica -> {};

  /** Who carries questions from now on; must not block. */
  public void carriedBy(Consumer<TabletReplica> carrier) {
    this.carrier = carrier;
  }

  void ask(TabletReplica replica) {
    carrier.accept(replica);
  }
}
