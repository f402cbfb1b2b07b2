package dev.kudu4j.master.observed;

import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.membership.MoveReason;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A move of a replica by the rebalancer: the target joins, then the source leaves. It ends when the
 * source has left, when the target has left again, or when the target does not join in time.
 *
 * <p>A new leader session does not know of the move. If the target has joined by then, there is one
 * voter too many, and the server with more replicas loses its replica. This is usually the source.
 *
 * @param joined whether the target has become a member
 */
public record ReplicaMove(
    String source, String target, MoveReason reason, boolean joined, long sinceNanos) {
  private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(30);

  boolean isOver(Group group, long nowNanos) {
    boolean late = nowNanos - sinceNanos > JOIN_NANOS;
    return !group.isMember(source) || (!group.isMember(target) && (joined || late));
  }

  /** The move with {@code joined} updated from the reported members; null when the move is over. */
  @Nullable ReplicaMove after(Group group, long nowNanos) {
    if (isOver(group, nowNanos)) {
      return null;
    }
    return group.isMember(target)
        ? new ReplicaMove(source, target, reason, true, sinceNanos)
        : this;
  }
}
