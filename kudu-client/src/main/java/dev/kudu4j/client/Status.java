package dev.kudu4j.client;

import dev.kudu4j.common.status.StatusCode;

/** STUB (core engineer). What became of a request: a code and a message. */
public final class Status {
  private final StatusCode code;
  private final String message;

  private Status(StatusCode code, String message) {
    this.code = code;
    this.message = message;
  }

  public static Status of(StatusCode code, String message) {
    return new Status(code, message);
  }

  @Override
  public String toString() {
    return code.prefix() + ": " + message;
  }
}
