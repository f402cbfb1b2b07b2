package dev.kudu4j.server.rpc;

import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.server.replica.members.MemberChangeRejectedException;
import java.util.concurrent.CompletionException;

/** The failure of a call about a replica. It carries an error of the tablet server's protocol. */
final class CallRefusal extends Exception {
  private static final long serialVersionUID = 1L;
  private final transient TabletServerErrorPB error;

  CallRefusal(TabletServerErrorPB.Code code, StatusCode status, String message) {
    this(error(code, status, message));
  }

  private CallRefusal(TabletServerErrorPB error) {
    super(error.getStatus().getMessage(), null, false, false);
    this.error = error;
  }

  TabletServerErrorPB error() {
    return error;
  }

  /** Converts a failure, which may be a {@link CallRefusal}, to an error of the protocol. */
  static TabletServerErrorPB error(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof CallRefusal refusal) {
      return refusal.error;
    }
    KuduException known =
        cause instanceof KuduException kudu
            ? kudu
            : new KuduException(StatusCode.RUNTIME_ERROR, String.valueOf(cause), cause);
    return error(code(known), known.code(), String.valueOf(known.getMessage()));
  }

  private static TabletServerErrorPB.Code code(KuduException failure) {
    if (failure instanceof MemberChangeRejectedException refused) {
      return switch (refused.reason()) {
        case NOT_LEADER -> TabletServerErrorPB.Code.NOT_THE_LEADER;
        case OUTDATED -> TabletServerErrorPB.Code.CAS_FAILED;
        case INVALID -> TabletServerErrorPB.Code.INVALID_CONFIG;
        case NOT_NOW -> TabletServerErrorPB.Code.UNKNOWN_ERROR;
      };
    }
    return failure.code() == StatusCode.ILLEGAL_STATE
        ? TabletServerErrorPB.Code.NOT_THE_LEADER
        : TabletServerErrorPB.Code.UNKNOWN_ERROR;
  }

  private static TabletServerErrorPB error(
      TabletServerErrorPB.Code code, StatusCode status, String message) {
    return TabletServerErrorPB.newBuilder()
        .setCode(code)
        .setStatus(StatusWire.toWire(status, message))
        .build();
  }
}
