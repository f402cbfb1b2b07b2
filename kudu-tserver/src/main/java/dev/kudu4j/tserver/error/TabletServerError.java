package dev.kudu4j.tserver.error;

import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.arrow.memory.OutOfMemoryException;

/**
 * A failure with an error code of the tablet server's protocol. Clients check the status first:
 * ILLEGAL_STATE means "not the leader", SERVICE_UNAVAILABLE means "retry later".
 */
public final class TabletServerError extends KuduException {
  private static final long serialVersionUID = 1L;

  private final TabletServerErrorPB.Code code;

  public TabletServerError(TabletServerErrorPB.Code code, StatusCode status, String message) {
    super(status, message);
    this.code = code;
  }

  /** This server does not lead the tablet: other servers ask another one. */
  public static TabletServerError notLeader(String tabletId) {
    return new TabletServerError(
        TabletServerErrorPB.Code.NOT_THE_LEADER,
        StatusCode.ILLEGAL_STATE,
        "Tablet " + tabletId + " is not led by this server");
  }

  /**
   * The failure of a call that only a leader can execute: a replica fails with ILLEGAL_STATE if it
   * does not lead.
   */
  public static Throwable ofLeader(String tabletId, Throwable failure) {
    return Failures.unwrap(failure) instanceof KuduException known
            && known.code() == StatusCode.ILLEGAL_STATE
        ? notLeader(tabletId)
        : failure;
  }

  public TabletServerErrorPB.Code errorCode() {
    return code;
  }

  /**
   * Answers a failed call as the protocol requires: NOT_AUTHORIZED becomes an RPC error, and so
   * does SERVICE_UNAVAILABLE ("retry later") if its code is UNKNOWN_ERROR or THROTTLED. Every other
   * failure goes into the {@code error} field of the reply.
   *
   * @param reply sends the method's reply with the given error
   */
  public static void answer(RpcCall call, Throwable failure, Consumer<TabletServerErrorPB> reply) {
    Throwable cause = explain(failure);
    if (!(cause instanceof KuduException known)) {
      call.fail(cause);
      return;
    }
    TabletServerErrorPB.Code code = codeOf(known);
    boolean later =
        known.code() == StatusCode.SERVICE_UNAVAILABLE
            && (code == TabletServerErrorPB.Code.UNKNOWN_ERROR
                || code == TabletServerErrorPB.Code.THROTTLED);
    if (known.code() == StatusCode.NOT_AUTHORIZED) {
      call.fail(RpcErrorCode.FATAL_UNAUTHORIZED, known.describe());
    } else if (later) {
      call.fail(RpcErrorCode.ERROR_SERVER_TOO_BUSY, known.describe());
    } else {
      reply.accept(
          TabletServerErrorPB.newBuilder()
              .setCode(code)
              .setStatus(StatusWire.toWire(known))
              .build());
    }
  }

  private static Throwable explain(Throwable failure) {
    Throwable cause = Failures.unwrap(failure);
    if (cause instanceof OutOfMemoryException) {
      return new KuduException(
          StatusCode.SERVICE_UNAVAILABLE,
          "The server has no memory for this call: " + cause.getMessage() + "; try again later",
          cause);
    }
    if (cause instanceof IOException io) {
      return new KuduException(StatusCode.IO_ERROR, io.getMessage(), io);
    }
    return cause;
  }

  private static TabletServerErrorPB.Code codeOf(KuduException failure) {
    if (failure instanceof TabletServerError known) {
      return known.code;
    }
    if (failure instanceof SchemaException schema) {
      return schema.reason() == SchemaException.Reason.MISMATCHED_SCHEMA
          ? TabletServerErrorPB.Code.MISMATCHED_SCHEMA
          : TabletServerErrorPB.Code.INVALID_SCHEMA;
    }
    return TabletServerErrorPB.Code.UNKNOWN_ERROR;
  }
}
