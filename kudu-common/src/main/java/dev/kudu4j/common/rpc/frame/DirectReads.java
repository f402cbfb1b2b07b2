package dev.kudu4j.common.rpc.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Receive buffers for a socket: the unfinished frame itself if there is one that is worth it, so
 * that its bytes are read in few system calls and not copied; otherwise adaptive buffers.
 */
final class DirectReads implements RecvByteBufAllocator {
  private static final int READS_PER_WAKE_UP = 16; // as of Netty's own allocator
  private static final RecvByteBufAllocator ADAPTIVE =
      new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(READS_PER_WAKE_UP);

  private final Supplier<@Nullable ByteBuf> target;

  /**
   * @param target the buffer for the next read, or null for an adaptive one; called on the event
   *     loop. The channel releases the buffer.
   */
  DirectReads(Supplier<@Nullable ByteBuf> target) {
    this.target = target;
  }

  @Override
  @SuppressWarnings("deprecation") // channels call the deprecated method
  public Handle newHandle() {
    return new DirectHandle((ExtendedHandle) ADAPTIVE.newHandle());
  }

  @SuppressWarnings("deprecation")
  private final class DirectHandle extends DelegatingHandle implements ExtendedHandle {
    private final ExtendedHandle adaptive;

    DirectHandle(ExtendedHandle adaptive) {
      super(adaptive);
      this.adaptive = adaptive;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      ByteBuf buffer = target.get();
      return buffer != null ? buffer : adaptive.allocate(allocator);
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
      return adaptive.continueReading(maybeMoreData);
    }
  }
}
