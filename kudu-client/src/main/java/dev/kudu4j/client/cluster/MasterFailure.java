package dev.kudu4j.client.cluster;

import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;

/** An error that the master put into its answer, with its code (TABLE_NOT_FOUND and the like). */
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
   * Whether an earlier try of the same request broke off and may have taken effect: then "already
   * present" and "not found" may be its own doing.
   */
  public boolean afterBrokenTry() {
    return afterBrokenTry;
  }
}
