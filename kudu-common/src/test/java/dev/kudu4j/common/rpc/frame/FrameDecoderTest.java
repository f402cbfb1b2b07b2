package dev.kudu4j.common.rpc.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client trusts a server as little as a server trusts a client. */
final class FrameDecoderTest {
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
  private final EmbeddedChannel channel = new EmbeddedChannel();

  FrameDecoderTest() {
    channel.config().setAllocator(allocator);
    channel.pipeline().addLast(FrameDecoder.forClient(256 << 20));
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    assertThat(allocatedBytes()).isZero();
  }

  private long allocatedBytes() {
    return allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory();
  }

  private void bring(int bytes) {
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[bytes]));
  }

  private void announce(int frameBytes) {
    channel.writeInbound(Unpooled.buffer(4).writeInt(frameBytes));
  }

  @Test
  void announcedLengthAllocatesNoMoreThanFourTimesWhatCame() {
    announce(200 << 20);
    for (int arrived = 0; arrived < 4 << 20; arrived += 64 << 10) {
      assertThat(allocatedBytes()).isLessThanOrEqualTo(4L * Math.max(64 << 10, arrived));
      bring(64 << 10);
    }
  }

  @Test
  void whoBroughtALongFrameIsBelievedAsMuchAgain() {
    announce(1 << 20);
    bring(1 << 20);
    ByteBuf frame = channel.readInbound();
    assertThat(frame.readableBytes()).isEqualTo(1 << 20);
    frame.release();
    announce(100 << 20);
    bring(1);
    assertThat(allocatedBytes()).isEqualTo(1 << 20);
  }
}
