package dev.kudu4j.common.rpc;

import dev.kudu4j.common.proto.rpc.RequestIdPB;
import dev.kudu4j.common.status.KuduException;

/**
 * Identifies a logical request that must take effect exactly once, even if it is retried.
 *
 * @param clientId identifies the client; at most {@link #MAX_ID_BYTES}, since servers remember it
 *     for an hour
 * @param sequence identifies the request of the client; the same in all attempts
 * @param firstIncomplete the lowest sequence number whose result the client still waits for;
 *     servers may forget the results of requests with lower numbers
 * @param attempt number of the attempt, which increases; the first number that a server receives
 *     need not be 1
 */
public record RpcRequestId(String clientId, long sequence, long firstIncomplete, long attempt) {

  /** Maximum length of a client id in UTF-8. Apache Kudu's clients use 32 hexadecimal digits. */
  public static final int MAX_ID_BYTES = 64;

  /**
   * @throws KuduException INVALID_ARGUMENT if the client id is too long
   */
  static RpcRequestId fromWire(RequestIdPB message) {
    int idBytes = message.getClientIdBytes().size();
    if (idBytes > MAX_ID_BYTES) {
      throw KuduException.invalidArgument(
          "The client id of the request has %d bytes; the maximum is %d", idBytes, MAX_ID_BYTES);
    }
    return new RpcRequestId(
        message.getClientId(),
        message.getSeqNo(),
        message.getFirstIncompleteSeqNo(),
        message.getAttemptNo());
  }

  RequestIdPB toWire() {
    return RequestIdPB.newBuilder()
        .setClientId(clientId)
        .setSeqNo(sequence)
        .setFirstIncompleteSeqNo(firstIncomplete)
        .setAttemptNo(attempt)
        .build();
  }
}
