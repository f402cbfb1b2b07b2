package dev.kudu4j.common.rpc.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The buffers into which a socket reads: those of a server are adaptive and limited to the size
 * that the connection may read; a client's are the unfinished frame itself if it is worth it, so
 * that its bytes are read in few system calls and not copied.
 */
final class FrameReads implements RecvByteBufAllocator {
  private static final int READS_PER_WAKE_UP_OF_CLIENT = 16; // as of Netty's own allocator
  private static final int READS_PER_WAKE_UP_OF_SERVER = 1;

  private final RecvByteBufAllocator adaptive;
  private final IntSupplier limitBytes;
  private final Supplier<@Nullable ByteBuf> target;

  private FrameReads(
      int readsPerWakeUp, IntSupplier limitBytes, Supplier<@Nullable ByteBuf> target) {
    this.adaptive = new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(readsPerWakeUp);
    this.limitBytes = limitBytes;
    this.target = target;
  }

  /**
   * Creates the reads of a server.
   *
   * @param limitBytes maximum size of the next read; called on the event loop
   */
  static FrameReads bounded(IntSupplier limitBytes) {
    return new FrameReads(READS_PER_WAKE_UP_OF_SERVER, limitBytes, () -> null);
  }

  /**
   * Creates the reads of a client.
   *
   * @param target the buffer for the next read, or null for an adaptive one; called on the event
   *     loop. The channel releases the buffer.
   */
  static FrameReads into(Supplier<@Nullable ByteBuf> target) {
    return new FrameReads(READS_PER_WAKE_UP_OF_CLIENT, () -> Integer.MAX_VALUE, target);
  }

  @Override
  @SuppressWarnings("deprecation") // channels call the deprecated method
  public Handle newHandle() {
    return new FrameHandle((ExtendedHandle) adaptive.newHandle());
  }

  @SuppressWarnings("deprecation")
  private final class FrameHandle extends DelegatingHandle implements ExtendedHandle {
    private final ExtendedHandle sizes;

    FrameHandle(ExtendedHandle sizes) {
      super(sizes);
      this.sizes = sizes;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      ByteBuf buffer = target.get();
      return buffer != null ? buffer : allocator.ioBuffer(guess());
    }

    @Override
    public int guess() {
      return Math.min(sizes.guess(), limitBytes.getAsInt());
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
      return sizes.continueReading(maybeMoreData);
    }
  }
}
