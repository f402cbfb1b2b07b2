package dev.kudu4j.server.raft;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines how much of a replica's log may be deleted. Whole log files below the checkpoint are
 * deleted, except those that another member may need from this replica or from the next leader. The
 * leader decides how much to keep, and the other members delete no more than it allows:
 *
 * <pre>
 *   released | kept for slow and joining members        | needed by no other member
 *   ---------+------------------------------------------+---------------------------&gt; log index
 *            limited number of files                    every member has it
 *     ^ never beyond a log anchor
 * </pre>
 *
 * A member that needs a deleted part of the log has to be copied again. The file that is being
 * written is never deleted. Thread-safe.
 */
public final class LogRetention {
  private static final Logger LOG = LoggerFactory.getLogger(LogRetention.class);
  private static final Pattern CLOSED_FILE = Pattern.compile("log_(\\d+)-(\\d+)");

  /**
   * An anchor still keeps the log for this time after it is closed, because the copied replica has
   * yet to join.
   */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final String tabletId;
  private final int filesKept;
  private final LongSupplier nanoTime;
  private final AtomicLong releasableFromLeader = new AtomicLong(-1);
  private final AtomicLong released = new AtomicLong(-1);

  @GuardedBy("this")
  private final List<Pin> pins = new ArrayList<>();

  /** Keeps the log after an index. */
  private final class Pin implements LogAnchor {
    private final long index;
    private long releaseAtNanos = Long.MAX_VALUE;

    Pin(long index) {
      this.index = index;
    }

    @Override
    public void close() {
      synchronized (LogRetention.this) {
        if (releaseAtNanos == Long.MAX_VALUE) {
          releaseAtNanos = nanoTime.getAsLong() + LINGER_NANOS;
        }
      }
    }
  }

  /**
   * @param filesKept maximum number of log files kept for members that lag
   */
  public LogRetention(String tabletId, int filesKept, LongSupplier nanoTime) {
    this.tabletId = tabletId;
    this.filesKept = filesKept;
    this.nanoTime = nanoTime;
  }

  /** Keeps the log after the index until the anchor is closed, and a minute longer. */
  public synchronized LogAnchor anchor(long index) {
    Pin pin = new Pin(index);
    pins.add(pin);
    return pin;
  }

  private synchronized long pinnedIndex() {
    long now = nanoTime.getAsLong();
    pins.removeIf(pin -> pin.releaseAtNanos != Long.MAX_VALUE && now - pin.releaseAtNanos > 0);
    return pins.stream().mapToLong(pin -> pin.index).min().orElse(Long.MAX_VALUE);
  }

  /** Records that the leader allows the log to be deleted up to this index. */
  public void leaderReleases(long releasable) {
    releasableFromLeader.accumulateAndGet(releasable, Math::max);
  }

  /**
   * The index up to which the log may be deleted. Either every other member has the log up to this
   * index, or more than {@code filesKept} files would have to be kept for the members that lack it.
   *
   * @param joinedByAll whether no server is joining the group; a joining server might need any part
   *     of the log
   * @param checkpoint checkpoint of this replica: nothing after it is deleted, so the number of
   *     files does not matter if every member has the log up to the checkpoint
   */
  public long releasableByLeader(RaftMember leader, boolean joinedByAll, long checkpoint) {
    long wanted = joinedByAll ? heldByAll(leader.division()) : -1;
    if (wanted <= checkpoint) {
      wanted = Math.max(wanted, endOfSurplusFiles(leader.division()));
    }
    return Math.min(pinnedIndex(), wanted);
  }

  /**
   * The index up to which a replica that does not lead may delete its log: the highest one that a
   * leader allowed, unless an anchor keeps more.
   */
  public long releasableByFollower() {
    return Math.min(pinnedIndex(), releasableFromLeader.get());
  }

  private static long heldByAll(RaftServer.Division division) {
    long[] matches = division.getInfo().getFollowerMatchIndices(); // null at the end of a term
    if (matches == null) {
      return -1;
    }
    return Arrays.stream(matches).min().orElse(Long.MAX_VALUE);
  }

  /**
   * Last index of the newest closed file that is not among the {@code filesKept} newest ones; -1 if
   * there is no such file.
   */
  private long endOfSurplusFiles(RaftServer.Division division) {
    long[] ends = endsOfClosedFiles(division);
    return ends.length > filesKept ? ends[ends.length - filesKept - 1] : -1;
  }

  /** The last indexes of closed files, ascending; none if the directory cannot be read. */
  private long[] endsOfClosedFiles(RaftServer.Division division) {
    Path directory = division.getRaftStorage().getStorageDir().getCurrentDir().toPath();
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> CLOSED_FILE.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .mapToLong(name -> Long.parseLong(name.group(2)))
          .sorted()
          .toArray();
    } catch (IOException e) {
      LOG.warn("Tablet {}: cannot list the log files", tabletId, e);
      return new long[0];
    }
  }

  /**
   * Deletes the files that may be deleted, one at a time, oldest first. If one call deletes several
   * files, Ratis begins with the newest; a process that is killed meanwhile would leave a gap in
   * its log.
   *
   * @param releasable index up to which the log may be deleted, the result of {@link
   *     #releasableByLeader} or {@link #releasableByFollower}
   * @param checkpoint index up to which the state is durable
   */
  public void release(RaftMember member, long releasable, long checkpoint) {
    release(member.division(), releasable, checkpoint);
  }

  void release(RaftServer.Division division, long releasable, long checkpoint) {
    long floor = Math.min(checkpoint, releasable - 1); // an append refers to the preceding entry
    assert floor <= checkpoint : "would release " + floor + ", checkpoint " + checkpoint;
    long before = released.get();
    if (floor <= before || !released.compareAndSet(before, floor)) {
      return;
    }
    RaftLog log = division.getRaftLog();
    for (long end : endsOfClosedFiles(division)) {
      if (end < floor) {
        assert end <= checkpoint : "would release " + end + ", checkpoint " + checkpoint;
        release(log, end);
      }
    }
    release(log, floor); // includes a file that is being closed
  }

  private void release(RaftLog log, long end) {
    log.purge(end)
        .whenComplete(
            (done, thrown) -> {
              if (thrown != null) {
                LOG.warn("Tablet {}: cannot release the log up to {}", tabletId, end, thrown);
              }
            });
  }
}
