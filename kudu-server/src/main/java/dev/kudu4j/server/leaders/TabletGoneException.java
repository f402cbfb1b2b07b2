package dev.kudu4j.server.leaders;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;

/** The leading master does not know the tablet: its table or range was dropped. */
public final class TabletGoneException extends KuduException {
  private static final long serialVersionUID = 1L;

  public TabletGoneException(String message) {
    super(StatusCode.NOT_FOUND, message);
  }
}
