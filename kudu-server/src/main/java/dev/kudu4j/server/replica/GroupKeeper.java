package dev.kudu4j.server.replica;

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
 * Looks after the members of the groups that are led from this process: how they are, and what is
 * to be done for those that come or are to go. Each group has its {@link LedGroup}; this is the
 * thread that visits them, twice a second and when something about them changes.
 *
 * <p>Thread-safe. The thread does not block.
 */
public final class GroupKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupKeeper.class);
  private static final int INTERVAL_MILLIS = 500;

  private final Supplier<Collection<TabletReplica>> replicas;
  private final BooleanSupplier quiescing;
  private final RaftOptions options;
  private final CopyRequests copies;
  private final LongSupplier nanoTime;
  private final ScheduledThreadPoolExecutor executor;
  private final Map<String, LedGroup> groups = new HashMap<>(); // of the executor's thread
  private final Set<TabletReplica> watched = new HashSet<>(); // likewise

  /**
   * @param replicas all of this process
   * @param quiescing whether leaderships are to be handed over
   * @param copies asks other servers to copy
   */
  public GroupKeeper(
      Supplier<Collection<TabletReplica>> replicas,
      BooleanSupplier quiescing,
      RaftOptions options,
      CopyRequests copies,
      LongSupplier nanoTime) {
    this.replicas = replicas;
    this.quiescing = quiescing;
    this.options = options;
    this.copies = copies;
    this.nanoTime = nanoTime;
    this.executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "group-keeper");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Begins to look after them. */
  public GroupKeeper start() {
    executor.scheduleWithFixedDelay(this::tick, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    return this;
  }

  private void tick() {
    try {
      Collection<TabletReplica> all = replicas.get();
      watched.retainAll(all);
      groups.values().removeIf(group -> !all.contains(group.replica()));
      all.forEach(this::visit);
    } catch (RuntimeException | Error e) { // one that escapes would end all visits, silently
      LOG.error("Looking after the members of groups failed; trying again", e);
    }
  }

  private void visit(TabletReplica replica) {
    long term = replica.ledTerm();
    if (term == LedTerm.NONE) {
      groups.remove(replica.tabletId());
      return;
    }
    if (watched.add(replica)) {
      replica.addListener(changed -> soon(changed));
    }
    LedGroup group = groups.get(replica.tabletId());
    if (group == null || group.replica() != replica || group.term() != term) {
      group =
          new LedGroup(replica, term, quiescing, options, copies, nanoTime, () -> soon(replica));
      groups.put(replica.tabletId(), group);
    }
    group.visit();
  }

  private void soon(TabletReplica replica) {
    try {
      executor.execute(
          () -> {
            try {
              if (replica.ledTerm() != LedTerm.NONE) {
                visit(replica);
              }
            } catch (RuntimeException | Error e) {
              LOG.error("Looking after tablet {} failed", replica.tabletId(), e);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("Left out, since the server is closing", e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
