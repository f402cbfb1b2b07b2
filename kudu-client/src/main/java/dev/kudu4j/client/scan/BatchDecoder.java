package dev.kudu4j.client.scan;

import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Decodes a response into a batch of rows. Called on an event loop, one response at a time. */
public interface BatchDecoder<B> {
  /** Whether to request columnar responses; otherwise row-wise ones. */
  boolean columnar();

  /** Whether row-wise responses will do where a server does not support columnar ones. */
  default boolean takesRows() {
    return !columnar();
  }

  /**
   * Decodes the rows of a response, which may have none.
   *
   * @param sidecars lent for the call; the decoder must retain those that the batch uses later
   */
  B decode(ScanResponsePB answer, List<ByteBuf> sidecars);

  /** Frees the memory of a batch that is not read. */
  default void discard(B batch) {}
}
