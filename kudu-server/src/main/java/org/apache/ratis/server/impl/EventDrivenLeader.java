package org.apache.ratis.server.impl;

import dev.kudu4j.server.raft.threads.RaftThreads;
import dev.kudu4j.server.raft.threads.SerialTask;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.raftlog.RaftLog;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A leader that handles its events on the shared threads: a majority has an entry, a member has
 * caught up, the leadership is lost. Once in the longest election timeout it checks that a majority
 * of the members still answers, unless an entry was committed since the previous check. Ratis'
 * thread checks that only if there was no event for that long.
 */
@NullMarked
final class EventDrivenLeader extends LeaderStateImpl {
  private static final Logger LOG = LoggerFactory.getLogger(EventDrivenLeader.class);

  /** Private members of the base class. */
  private static final class Members {
    final Field eventQueue = field(LeaderStateImpl.class, "eventQueue");
    final Field events = field(eventQueue.getType(), "queue");
    final Field startupLogEntry = field(LeaderStateImpl.class, "startupLogEntry");
    final Method prepare = method("prepare");
    final Method checkStaging = method("checkStaging");
    final Method checkPeersForYieldingLeader = method("checkPeersForYieldingLeader");

    private static Field field(Class<?> owner, String name) {
      try {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
      } catch (ReflectiveOperationException e) {
        throw PooledGroup.changed(e);
      }
    }

    private static Method method(String name) {
      try {
        Method method = LeaderStateImpl.class.getDeclaredMethod(name);
        method.setAccessible(true);
        return method;
      } catch (ReflectiveOperationException e) {
        throw PooledGroup.changed(e);
      }
    }
  }

  private static final Members MEMBERS = new Members();

  private final RaftServerImpl server;
  private final RaftThreads threads;
  private final EventQueue events;
  private final SerialTask handling;
  private volatile boolean checkDue;

  // Accessed only by runs of the task.
  private boolean prepared;
  private long committedBefore = RaftLog.INVALID_LOG_INDEX; // at the previous check

  EventDrivenLeader(RaftServerImpl server, RaftThreads threads) {
    super(server);
    this.server = server;
    this.threads = threads;
    this.handling = threads.task(this, this::handle);
    this.events = new EventQueue(handling);
    try {
      MEMBERS.events.set(MEMBERS.eventQueue.get(this), events);
    } catch (IllegalAccessException e) {
      throw PooledGroup.changed(e);
    }
  }

  /** The events to handle, at most one of each type. */
  private static final class EventQueue extends ArrayBlockingQueue<StateUpdateEvent> {
    private static final int TYPES = 3;

    private final transient SerialTask handling;

    EventQueue(SerialTask handling) {
      super(TYPES);
      this.handling = handling;
    }

    @Override
    public void put(StateUpdateEvent event) throws InterruptedException {
      super.put(event);
      handling.signalNext();
    }
  }

  @Override
  void start() {
    try {
      Supplier<?> firstEntry = (Supplier<?>) MEMBERS.startupLogEntry.get(this);
      Objects.requireNonNull(firstEntry.get()); // appends the entry
    } catch (IllegalAccessException e) {
      throw PooledGroup.changed(e);
    }
    handling.signal();
    getLogAppenders().forEach(LogAppender::start);
    checkLater();
  }

  private void handle() {
    if (!prepared) {
      prepared = true;
      call(MEMBERS.prepare);
    }
    for (StateUpdateEvent event = events.poll(); event != null; event = events.poll()) {
      threads.passOn(); // applying what an earlier event has committed
      try {
        synchronized (server) {
          if (!isRunning()) {
            return;
          }
          event.execute();
        }
      } catch (RuntimeException e) { // later events must be handled, and the leader be checked
        LOG.error("{}: {} failed", this, event, e);
      }
    }
    if (checkDue) {
      checkDue = false;
      check();
    }
  }

  private void checkLater() {
    long millis = server.getMaxTimeoutMs();
    long dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    try {
      threads.after(millis, () -> timeToCheck(dueNanos, millis));
    } catch (IllegalStateException e) {
      LOG.debug("{} ends: the server is closed", this, e);
    }
  }

  /** After a pause of the process, the check waits for the responses that arrived meanwhile. */
  private void timeToCheck(long dueNanos, long millis) {
    if (!isRunning()) {
      return;
    }
    checkLater();
    long late = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - dueNanos);
    if (late < millis / 2) {
      checkDue = true;
      handling.signal();
    }
  }

  private void check() {
    synchronized (server) {
      if (!isRunning()) {
        return;
      }
      long committed = server.getRaftLog().getLastCommittedIndex();
      boolean progressed = committed > committedBefore; // so a majority has answered
      committedBefore = committed;
      if (inStagingState()) {
        call(MEMBERS.checkStaging);
      } else if (!progressed && checkLeadership()) {
        call(MEMBERS.checkPeersForYieldingLeader);
      }
    }
  }

  private Object call(Method method) {
    try {
      return method.invoke(this);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw PooledGroup.changed(e);
    }
  }
}
