package dev.kudu4j.client.scan;

import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Makes a batch of rows out of an answer. Called on an event loop, one answer at a time. */
public interface BatchDecoder<B> {
  /** Whether answers are to come in columns; else they come in rows. */
  boolean columnar();

  /** Whether rows will do where a server does not know columns. */
  default boolean takesRows() {
    return !columnar();
  }

  /**
   * The rows of an answer; also of one without any.
   *
   * @param sidecars lent for the call; retain what the batch keeps
   */
  B decode(ScanResponsePB answer, List<ByteBuf> sidecars);

  /** Gives back what a batch holds that nobody will read. */
  default void discard(B batch) {}
}
