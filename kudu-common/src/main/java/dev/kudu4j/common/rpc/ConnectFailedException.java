package dev.kudu4j.common.rpc;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;

/** No connection could be opened, so the call was not sent and may be sent elsewhere. */
public final class ConnectFailedException extends KuduException {
  private static final long serialVersionUID = 1L;

  ConnectFailedException(String message, Throwable cause) {
    super(StatusCode.NETWORK_ERROR, message, cause);
  }
}
