package dev.kudu4j.server.replica.members;

import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.server.raft.RaftOptions;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors the members of all groups that this process leads. Each group has a {@link
 * MembershipReconciler}; one thread visits all reconcilers twice a second, and the reconciler of a
 * group after each change of the group.
 *
 * <p>Thread-safe. The thread does not block.
 */
public final class MembershipMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MembershipMonitor.class);
  private static final int INTERVAL_MILLIS = 500;

  /** A group in which there is nothing to do is visited once in this number of rounds. */
  private static final int SETTLED_ROUNDS = 4;

  private final Supplier<? extends Collection<MembershipChanger>> memberships;
  private final BooleanSupplier quiescing;
  private final RaftOptions options;
  private final TabletCopyRequests copies;
  private final LongSupplier nanoTime;
  private final ScheduledThreadPoolExecutor executor;
  private int round; // accessed only by the executor
  private final Map<String, MembershipReconciler> groups =
      new HashMap<>(); // used only by the executor's thread
  private final Set<MembershipChanger> watched = new HashSet<>(); // executor's thread only

  /**
   * @param memberships returns the {@link MembershipChanger} of each replica of this process
   * @param quiescing whether this server transfers its leaderships to other servers
   * @param copies asks other servers to copy tablets
   */
  public MembershipMonitor(
      Supplier<? extends Collection<MembershipChanger>> memberships,
      BooleanSupplier quiescing,
      RaftOptions options,
      TabletCopyRequests copies,
      LongSupplier nanoTime) {
    this.memberships = memberships;
    this.quiescing = quiescing;
    this.options = options;
    this.copies = copies;
    this.nanoTime = nanoTime;
    this.executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "membership-monitor");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Starts visiting the groups. */
  public MembershipMonitor start() {
    executor.scheduleWithFixedDelay(this::tick, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    return this;
  }

  private void tick() {
    try {
      Set<MembershipChanger> all = Set.copyOf(memberships.get());
      watched.retainAll(all);
      groups.values().removeIf(group -> !all.contains(group.membership()));
      round++;
      for (MembershipChanger membership : all) {
        if (isTurn(membership)) {
          visit(membership);
        }
      }
    } catch (RuntimeException | Error e) { // an escaping exception would silently end all visits
      LOG.error("Monitoring the members of groups failed; retrying", e);
    }
  }

  /** Groups in which there is nothing to do take turns; a change causes a visit immediately. */
  private boolean isTurn(MembershipChanger membership) {
    MembershipReconciler group = groups.get(membership.leader().tabletId());
    return group == null
        || !group.isSettled()
        || Math.floorMod(membership.leader().tabletId().hashCode() + round, SETTLED_ROUNDS) == 0;
  }

  private void visit(MembershipChanger membership) {
    LeadingReplica replica = membership.leader();
    long term = replica.term();
    if (term == RaftMember.NO_TERM) {
      groups.remove(replica.tabletId());
      return;
    }
    if (watched.add(membership)) {
      replica.onChange(() -> soon(membership));
    }
    MembershipReconciler group = groups.get(replica.tabletId());
    if (group == null || group.membership() != membership || group.term() != term) {
      group =
          new MembershipReconciler(
              membership, term, quiescing, options, copies, nanoTime, () -> soon(membership));
      groups.put(replica.tabletId(), group);
    }
    group.visit();
  }

  private void soon(MembershipChanger membership) {
    try {
      executor.execute(
          () -> {
            try {
              if (membership.leader().term() != RaftMember.NO_TERM) {
                visit(membership);
              }
            } catch (RuntimeException | Error e) {
              LOG.error(
                  "Monitoring the members of tablet {} failed", membership.leader().tabletId(), e);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("Skipped a visit of a group: the server is closing", e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
