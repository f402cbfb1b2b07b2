package dev.kudu4j.server.raft;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.ratis.protocol.exceptions.GroupMismatchException;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.protocol.exceptions.TimeoutIOException;
import org.apache.ratis.protocol.exceptions.TransferLeadershipException;
import org.jspecify.annotations.Nullable;

/** Translates Ratis failures into statuses and messages for clients. */
public final class RaftFailures {
  private RaftFailures() {}

  /**
   * The failure as an exception whose message names the tablet and says what the client should do
   * next.
   */
  public static KuduException explain(String tabletId, Throwable thrown) {
    Throwable cause = unwrap(thrown);
    if (cause instanceof KuduException ours) {
      return ours;
    }
    if (cause instanceof NotLeaderException || cause instanceof LeaderSteppingDownException) {
      return notLeader(tabletId, cause);
    }
    if (cause instanceof LeaderNotReadyException || cause instanceof ServerNotReadyException) {
      return of(StatusCode.SERVICE_UNAVAILABLE, cause, tabletId, "is starting; try again");
    }
    if (cause instanceof ResourceUnavailableException) {
      return of(
          StatusCode.SERVICE_UNAVAILABLE,
          cause,
          tabletId,
          "has too many writes under way; try again");
    }
    if (cause instanceof ReconfigurationInProgressException) {
      return of(
          StatusCode.SERVICE_UNAVAILABLE, cause, tabletId, "is changing its members; try again");
    }
    if (cause instanceof TransferLeadershipException || cause instanceof TimeoutIOException) {
      return of(
          StatusCode.SERVICE_UNAVAILABLE,
          cause,
          tabletId,
          "could not change its leader in time; try again: " + text(cause));
    }
    if (cause instanceof GroupMismatchException) {
      return of(StatusCode.NOT_FOUND, cause, tabletId, "has no replica on this server");
    }
    return of(
        StatusCode.RUNTIME_ERROR, cause, tabletId, "could not log the operation: " + text(cause));
  }

  public static KuduException notLeader(String tabletId, @Nullable Throwable cause) {
    return of(
        StatusCode.ILLEGAL_STATE,
        cause,
        tabletId,
        "is not led by this replica; refresh its locations from the master");
  }

  private static KuduException of(
      StatusCode code, @Nullable Throwable cause, String tabletId, String sentence) {
    return new KuduException(code, "Tablet " + tabletId + " " + sentence, cause);
  }

  private static Throwable unwrap(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null
        && (cause instanceof CompletionException
            || cause instanceof ExecutionException
            || cause instanceof StateMachineException)) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static String text(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
