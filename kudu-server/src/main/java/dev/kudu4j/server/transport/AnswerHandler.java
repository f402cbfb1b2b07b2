package dev.kudu4j.server.transport;

import java.io.IOException;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;

/**
 * Receives the outcome of a call. One of the two methods is called, once, on an event loop or on
 * the sending thread; it must not block. A failure follows an answer that cannot be parsed.
 */
interface AnswerHandler {
  /** The answer has arrived. Throws if the answer cannot be parsed, which closes the connection. */
  void answered(CodedInputStream body) throws IOException;

  /** No answer will arrive, or the other server reports a failure. */
  void failed(CallFailure why);
}
