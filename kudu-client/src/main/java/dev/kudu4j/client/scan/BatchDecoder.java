package dev.kudu4j.client.scan;

import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Decodes a response into a batch of rows. Called on an event loop, one response at a time. */
public interface BatchDecoder<B> {
  /** Whether to request columnar responses; otherwise row-wise ones. */
  boolean columnar();

  /**
   * Whether the decoder accepts row-wise responses from a server that does not support columnar
   * ones.
   */
  default boolean takesRows() {
    return !columnar();
  }

  /**
   * Decodes the rows of a response, which may have none.
   *
   * @param sidecars borrowed; the decoder must retain those that the batch uses after this call
   */
  B decode(ScanResponsePB answer, List<ByteBuf> sidecars);

  /**
   * A decoder of the same batches that drops the rows that a filter does not select, for servers
   * that cannot evaluate the condition.
   *
   * @return null if this decoder cannot filter
   */
  default BatchDecoder<B> filtered(RowFilter filter) {
    return null;
  }

  /** The number of rows of a decoded response. */
  default int rowCount(B batch, ScanResponsePB answer) {
    return answer.hasColumnarData()
        ? Math.toIntExact(answer.getColumnarData().getNumRows())
        : answer.getData().getNumRows();
  }

  /** Frees the memory of a batch that is not read. */
  default void discard(B batch) {}
}
