package dev.kudu4j.client;

import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.status.StatusCode;

/** The reasons why a server does not carry out a request about one replica. */
final class ServerRefusals {
  private ServerRefusals() {}

  static boolean isNotFound(Throwable failure) {
    return failure instanceof dev.kudu4j.common.status.KuduException known
        && known.code() == StatusCode.NOT_FOUND;
  }

  /**
   * The reason as text.
   *
   * @param request what the server was asked to do, for servers that do not know the method
   */
  static String reason(Throwable failure, String request) {
    boolean unknown =
        failure instanceof RpcException refused
            && (refused.errorCode() == RpcErrorCode.ERROR_NO_SUCH_METHOD
                || refused.errorCode() == RpcErrorCode.ERROR_NO_SUCH_SERVICE);
    return unknown
        ? StatusCode.NOT_SUPPORTED.prefix() + ": the server cannot be asked to " + request
        : KuduException.of(failure).getStatus().toString();
  }
}
