package dev.kudu4j.server.transport;

/** What a frame is. The numbers are on the wire. */
enum MessageKind {
  HELLO(1),
  PING(2),
  APPEND(3),
  VOTE(4),
  ELECT(5),
  NOTICE(6),

  /** Answers a request that threw, or a greeting that is refused. */
  FAILED(7),

  /** Ends the greeting between servers that have a cluster secret. */
  PROOF(8);

  private static final MessageKind[] BY_CODE = new MessageKind[9];

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

  /** The kind, or null when there is none of the number. */
  static MessageKind of(int code) {
    return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }
}
