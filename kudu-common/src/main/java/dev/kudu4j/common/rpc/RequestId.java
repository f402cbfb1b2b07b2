package dev.kudu4j.common.rpc;

import dev.kudu4j.common.proto.rpc.RequestIdPB;

/**
 * The name of a logical request that must take effect once, however often it is tried.
 *
 * @param clientId names the client for ever
 * @param sequence names the request within its client; the same in all tries
 * @param firstIncomplete lowest sequence whose outcome the client still waits for; what is below
 *     may be forgotten
 * @param attempt rises with each try; the first one seen need not be 1
 */
public record RequestId(String clientId, long sequence, long firstIncomplete, long attempt) {

  static RequestId fromWire(RequestIdPB message) {
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
