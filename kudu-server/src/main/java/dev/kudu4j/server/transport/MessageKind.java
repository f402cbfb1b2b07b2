package dev.kudu4j.server.transport;

import org.jspecify.annotations.Nullable;

/** The kind of a frame. The numbers are part of the wire format. */
enum MessageKind {
  HELLO(1),
  PING(2),
  APPEND(3),
  VOTE(4),
  ELECT(5),
  NOTICE(6),

  /** Answers a request that failed, or a greeting that was refused. */
  FAILED(7),

  /** Completes the greeting between servers that have a cluster secret. */
  PROOF(8),

  /** Heartbeats of groups whose followers have everything; see {@link Beats}. */
  BEATS(9);

  private static final MessageKind[] BY_CODE = new MessageKind[10];

  static {
    for (MessageKind kind : values()) {
      BY_CODE[kind.code] = kind;
    }
  }

  private final int code;

  MessageKind(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** The kind with this number, or null if there is none. */
  static @Nullable MessageKind of(int code) {
    return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }
}
