package dev.kudu4j.server.transport;

import java.io.IOException;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;

/**
 * Who waits for the answer to a call. Exactly one of the two is called, once, on an event loop or
 * on the thread that sent: it must not block.
 */
interface AnswerHandler {
  /** The answer has come; throws when it cannot be read, which closes the connection. */
  void answered(CodedInputStream body) throws IOException;

  /** No answer will come, or the other server reports a failure. */
  void failed(CallFailure why);
}
