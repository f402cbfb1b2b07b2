package dev.kudu4j.server.transport;

import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * The server at the other end of a connection.
 *
 * @param id which it is
 * @param proven whether it holds the cluster secret; else only its address speaks for it
 */
record Sender(RaftPeerId id, boolean proven) {
  /** Whether a message that names this sender is its own. */
  boolean is(ByteString name) {
    return id.toByteString().equals(name);
  }
}
