package dev.kudu4j.server.transport;

import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * The server at the other end of a connection.
 *
 * @param id uuid of the server
 * @param proven whether the server has proven the cluster secret; otherwise only its address
 *     identifies it
 */
record Sender(RaftPeerId id, boolean proven) {
  /** Whether a message that names {@code name} as its sender comes from this server. */
  boolean is(ByteString name) {
    return id.toByteString().equals(name);
  }
}
