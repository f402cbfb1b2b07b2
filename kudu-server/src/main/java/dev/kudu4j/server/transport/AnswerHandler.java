package dev.kudu4j.server.transport;

import java.io.IOException;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;

/**
 * Receives the outcome of a call. Exactly one of the two methods is called, once, on an event loop
 * or on the thread that sends the call. Neither may block.
 */
interface AnswerHandler {
  /**
   * Receives the response. Throws if the response cannot be parsed, which closes the connection.
   */
  void answered(CodedInputStream body) throws IOException;

  /** Called if no response will arrive, or if the other server reports a failure. */
  void failed(CallFailure failure);
}
