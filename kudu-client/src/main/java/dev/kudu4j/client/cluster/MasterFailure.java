package dev.kudu4j.client.cluster;

import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;

/** An error in a response of the master, with its code (TABLE_NOT_FOUND and others). */
public final class MasterFailure extends KuduException {
  private static final long serialVersionUID = 1L;

  private final MasterErrorPB.Code error;
  private final boolean afterBrokenTry;

  MasterFailure(MasterErrorPB error, boolean afterBrokenTry) {
    super(
        StatusCode.ofWireNumber(error.getStatus().getCode().getNumber()),
        error.getStatus().getMessage());
    this.error = error.getCode();
    this.afterBrokenTry = afterBrokenTry;
  }

  public MasterErrorPB.Code error() {
    return error;
  }

  /**
   * Whether an earlier attempt of the request was interrupted and may have taken effect: then that
   * attempt may be the cause of "already present" or "not found".
   */
  public boolean afterBrokenTry() {
    return afterBrokenTry;
  }
}
