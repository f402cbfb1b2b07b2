package dev.kudu4j.common.rpc.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.IntSupplier;

/** Adaptive receive buffers for a socket, limited to the size that the connection may read. */
final class BoundedReads implements RecvByteBufAllocator {
  private static final RecvByteBufAllocator ADAPTIVE = new AdaptiveRecvByteBufAllocator();

  private final IntSupplier limitBytes;

  /**
   * @param limitBytes maximum size of the next read; called on the event loop
   */
  BoundedReads(IntSupplier limitBytes) {
    this.limitBytes = limitBytes;
  }

  @Override
  @SuppressWarnings("deprecation") // channels call the deprecated method
  public Handle newHandle() {
    return new BoundedHandle((ExtendedHandle) ADAPTIVE.newHandle());
  }

  @SuppressWarnings("deprecation")
  private final class BoundedHandle extends DelegatingHandle implements ExtendedHandle {
    private final ExtendedHandle adaptive;

    BoundedHandle(ExtendedHandle adaptive) {
      super(adaptive);
      this.adaptive = adaptive;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      return allocator.ioBuffer(guess());
    }

    @Override
    public int guess() {
      return Math.min(adaptive.guess(), limitBytes.getAsInt());
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
      return adaptive.continueReading(maybeMoreData);
    }
  }
}
