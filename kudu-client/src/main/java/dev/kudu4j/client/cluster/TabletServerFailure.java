package dev.kudu4j.client.cluster;

import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;

/** An error in a response of a tablet server, with its code (SCANNER_EXPIRED and others). */
public final class TabletServerFailure extends KuduException {
  private static final long serialVersionUID = 1L;

  private final TabletServerErrorPB.Code error;

  public TabletServerFailure(TabletServerErrorPB.Code error, StatusCode code, String message) {
    super(code, message);
    this.error = error;
  }

  static TabletServerFailure fromWire(TabletServerErrorPB error) {
    return new TabletServerFailure(
        error.getCode(),
        StatusCode.ofWireNumber(error.getStatus().getCode().getNumber()),
        error.getStatus().getMessage());
  }

  public TabletServerErrorPB.Code error() {
    return error;
  }
}
