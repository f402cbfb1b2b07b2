package dev.kudu4j.common.rpc.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limits on the memory of a frame, which clients and servers apply to each other. */
@SuppressWarnings("deprecation") // channels call RecvByteBufAllocator.Handle
final class FrameDecoderTest {
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
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
  void allocationIsAtMostFourTimesTheReceivedBytes() {
    announce(200 << 20);
    for (int arrived = 0; arrived < 4 << 20; arrived += 64 << 10) {
      assertThat(allocatedBytes()).isLessThanOrEqualTo(4L * Math.max(64 << 10, arrived));
      bring(64 << 10);
    }
  }

  @Test
  void theNextFrameMayAllocateAsMuchAsTheLastFrameHad() {
    announce(1 << 20);
    bring(1 << 20);
    ByteBuf frame = channel.readInbound();
    assertThat(frame.readableBytes()).isEqualTo(1 << 20);
    frame.release();
    announce(100 << 20);
    bring(1);
    assertThat(allocatedBytes()).isEqualTo(1 << 20);
  }

  /** Reads like a socket: into the buffer that the channel's receive allocator gives. */
  private ByteBuf read(RecvByteBufAllocator.Handle handle, byte[] stream, int from) {
    ByteBuf buffer = handle.allocate(channel.alloc());
    int count = Math.min(buffer.writableBytes(), stream.length - from);
    buffer.writeBytes(stream, from, count);
    return buffer;
  }

  @Test
  void longFrameIsReadInPlace() {
    bringLongFrame();
    byte[] content = new byte[1 << 20];
    new Random(1).nextBytes(content);
    byte[] stream =
        ByteBuffer.allocate(4 + content.length + 6)
            .putInt(content.length)
            .put(content)
            .putInt(2)
            .putShort((short) 7)
            .array();
    RecvByteBufAllocator.Handle handle =
        channel.config().<RecvByteBufAllocator>getRecvByteBufAllocator().newHandle();
    int reads = 0;
    for (int from = 0; from < stream.length; reads++) {
      ByteBuf buffer = read(handle, stream, from);
      from += buffer.readableBytes();
      channel.writeInbound(buffer);
    }
    assertThat(reads).isLessThan(5);
    ByteBuf frame = channel.readInbound();
    assertThat(frame).isEqualTo(Unpooled.wrappedBuffer(content));
    ByteBuf next = channel.readInbound();
    assertThat(next.readShort()).isEqualTo((short) 7);
    frame.release();
    next.release();
  }

  @Test
  void frameThatIsReadInPlaceIsReleasedWhenTheConnectionEnds() {
    bringLongFrame();
    announce(1 << 20);
    bring(1);
    RecvByteBufAllocator.Handle handle =
        channel.config().<RecvByteBufAllocator>getRecvByteBufAllocator().newHandle();
    ByteBuf target = handle.allocate(channel.alloc());
    assertThat(target.writableBytes()).isEqualTo((1 << 20) - 1);
    channel.close();
    channel.pipeline().fireChannelRead(target.writeZero(10));
  }

  private void bringLongFrame() {
    announce(1 << 20);
    bring(1 << 20);
    channel.<ByteBuf>readInbound().release();
  }
}
