package dev.kudu4j.common.rpc.negotiation;

import dev.kudu4j.common.proto.rpc.ErrorStatusPB;
import dev.kudu4j.common.proto.rpc.ErrorStatusPB.RpcErrorCodePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;

/**
 * Negotiation failed. A server sends the error to the client and closes the connection; a client
 * only closes the connection.
 */
public final class NegotiationException extends KuduException {
  private static final long serialVersionUID = 1L;

  private final RpcErrorCodePB rpcCode;

  NegotiationException(RpcErrorCodePB rpcCode, StatusCode code, String message) {
    super(code, message);
    this.rpcCode = rpcCode;
  }

  static NegotiationException unauthorized(String message) {
    return new NegotiationException(
        RpcErrorCodePB.FATAL_UNAUTHORIZED, StatusCode.NOT_AUTHORIZED, message);
  }

  static NegotiationException invalidHeader(String message) {
    return new NegotiationException(
        RpcErrorCodePB.FATAL_INVALID_RPC_HEADER, StatusCode.INVALID_ARGUMENT, message);
  }

  public RpcErrorCodePB rpcCode() {
    return rpcCode;
  }

  ErrorStatusPB toMessage() {
    return ErrorStatusPB.newBuilder().setMessage(describe()).setCode(rpcCode).build();
  }
}
