package dev.kudu4j.server.leaders;

import dev.kudu4j.common.status.KuduException;

/**
 * The coordinator or the tablet refuses the operation itself: repeating it, or asking another
 * server, is of no use. Any other failure with the same status may come from a broken server.
 */
public final class RefusedException extends KuduException {
  private static final long serialVersionUID = 1L;

  public RefusedException(KuduException refusal) {
    super(refusal.code(), String.valueOf(refusal.getMessage()), refusal);
  }
}
