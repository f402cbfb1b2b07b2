package dev.kudu4j.common.rpc;

import dev.kudu4j.common.proto.rpc.ErrorStatusPB.RpcErrorCodePB;

/**
 * The reason of an RPC error, numbered as on the wire. A method reports its own failures in its
 * response instead.
 */
public enum RpcErrorCode {
  ERROR_APPLICATION(RpcErrorCodePB.ERROR_APPLICATION),
  ERROR_NO_SUCH_METHOD(RpcErrorCodePB.ERROR_NO_SUCH_METHOD),
  ERROR_NO_SUCH_SERVICE(RpcErrorCodePB.ERROR_NO_SUCH_SERVICE),
  /** The queue is full, or the deadline passed in the queue; clients retry with back-off. */
  ERROR_SERVER_TOO_BUSY(RpcErrorCodePB.ERROR_SERVER_TOO_BUSY),
  ERROR_INVALID_REQUEST(RpcErrorCodePB.ERROR_INVALID_REQUEST),
  /** The request is a retry whose result is no longer in the server's request cache. */
  ERROR_REQUEST_STALE(RpcErrorCodePB.ERROR_REQUEST_STALE),
  /** The service is not ready; clients retry with back-off. */
  ERROR_UNAVAILABLE(RpcErrorCodePB.ERROR_UNAVAILABLE),
  FATAL_UNKNOWN(RpcErrorCodePB.FATAL_UNKNOWN),
  FATAL_SERVER_SHUTTING_DOWN(RpcErrorCodePB.FATAL_SERVER_SHUTTING_DOWN),
  FATAL_INVALID_RPC_HEADER(RpcErrorCodePB.FATAL_INVALID_RPC_HEADER),
  FATAL_DESERIALIZING_REQUEST(RpcErrorCodePB.FATAL_DESERIALIZING_REQUEST),
  FATAL_VERSION_MISMATCH(RpcErrorCodePB.FATAL_VERSION_MISMATCH),
  FATAL_UNAUTHORIZED(RpcErrorCodePB.FATAL_UNAUTHORIZED),
  FATAL_INVALID_AUTHENTICATION_TOKEN(RpcErrorCodePB.FATAL_INVALID_AUTHENTICATION_TOKEN),
  ERROR_INVALID_AUTHORIZATION_TOKEN(RpcErrorCodePB.ERROR_INVALID_AUTHORIZATION_TOKEN),
  FATAL_INVALID_JWT(RpcErrorCodePB.FATAL_INVALID_JWT);

  private final RpcErrorCodePB wire;

  RpcErrorCode(RpcErrorCodePB wire) {
    this.wire = wire;
  }

  RpcErrorCodePB wire() {
    return wire;
  }

  public int wireNumber() {
    return wire.getNumber();
  }

  /** Whether the same call may succeed a little later on the same server. */
  public boolean isRetriable() {
    return this == ERROR_SERVER_TOO_BUSY || this == ERROR_UNAVAILABLE;
  }

  /** Whether the error concerns the connection, which the server closes, and not only the call. */
  public boolean isFatal() {
    return switch (this) {
      case FATAL_UNKNOWN,
          FATAL_SERVER_SHUTTING_DOWN,
          FATAL_INVALID_RPC_HEADER,
          FATAL_DESERIALIZING_REQUEST,
          FATAL_VERSION_MISMATCH,
          FATAL_UNAUTHORIZED,
          FATAL_INVALID_AUTHENTICATION_TOKEN,
          FATAL_INVALID_JWT ->
          true;
      default -> false;
    };
  }

  static RpcErrorCode of(RpcErrorCodePB wire) {
    for (RpcErrorCode code : values()) {
      if (code.wire == wire) {
        return code;
      }
    }
    return FATAL_UNKNOWN;
  }
}
