package dev.kudu4j.tserver.scan;

import dev.kudu4j.common.memory.Memory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import org.apache.arrow.memory.ArrowBuf;

/**
 * Passes an Arrow buffer to the socket without a copy. When Netty releases the sidecar, its
 * reference to the Arrow buffer is released.
 */
final class ArrowSidecar extends UnpooledDirectByteBuf {
  private final ArrowBuf buffer;

  private ArrowSidecar(ArrowBuf buffer, int bytes) {
    super(
        UnpooledByteBufAllocator.DEFAULT, Memory.byteBuffer(buffer.memoryAddress(), bytes), bytes);
    this.buffer = buffer;
  }

  /** Shares the buffer's first {@code bytes} bytes; takes another reference. */
  static ByteBuf share(ArrowBuf buffer, int bytes) {
    buffer.getReferenceManager().retain();
    return new ArrowSidecar(buffer, bytes);
  }

  @Override
  protected void deallocate() {
    super.deallocate();
    buffer.getReferenceManager().release();
  }
}
