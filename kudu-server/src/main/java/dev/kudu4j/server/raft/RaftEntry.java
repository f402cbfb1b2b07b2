package dev.kudu4j.server.raft;

import dev.kudu4j.common.status.KuduException;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * An entry that its owner submits to a Raft group ({@link RaftMember#submit}). Its bytes are
 * wrapped, not copied, so the owner may change them until the entry is assigned its index in the
 * log.
 */
public abstract class RaftEntry implements Message {
  private final ByteString content;

  protected RaftEntry(byte[] bytes) {
    this.content = UnsafeByteOperations.unsafeWrap(bytes);
  }

  @Override
  public final ByteString getContent() {
    return content;
  }

  /** Called on any thread if the entry was not logged or its outcome is unknown. */
  public abstract void failed(KuduException reason);
}
