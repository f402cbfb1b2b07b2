package dev.kudu4j.common.rpc;

import dev.kudu4j.common.proto.rpc.RequestIdPB;
import dev.kudu4j.common.status.KuduException;

/**
 * The name of a logical request that must take effect once, however often it is tried.
 *
 * @param clientId names the client for ever; at most {@link #MOST_ID_BYTES}, since servers remember
 *     it for an hour
 * @param sequence names the request within its client; the same in all tries
 * @param firstIncomplete lowest sequence whose outcome the client still waits for; what is below
 *     may be forgotten
 * @param attempt rises with each try; the first one seen need not be 1
 */
public record RequestId(String clientId, long sequence, long firstIncomplete, long attempt) {

  /** In UTF-8. Apache Kudu's clients call themselves by 32 hexadecimal digits. */
  public static final int MOST_ID_BYTES = 64;

  /**
   * @throws KuduException INVALID_ARGUMENT for a client id that is too long
   */
  static RequestId fromWire(RequestIdPB message) {
    int idBytes = message.getClientIdBytes().size();
    if (idBytes > MOST_ID_BYTES) {
      throw KuduException.invalidArgument(
          "The request's client id has %d bytes; it may have at most %d", idBytes, MOST_ID_BYTES);
    }
    return new RequestId(
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
