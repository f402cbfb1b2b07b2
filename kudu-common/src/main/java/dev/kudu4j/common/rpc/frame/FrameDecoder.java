package dev.kudu4j.common.rpc.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;

/**
 * Cuts the byte stream of one connection into frames, without their total length.
 *
 * <p>A frame is copied once, out of the socket's read buffer into a buffer of its own. What that
 * buffer is depends on the end. A server wants a heap array that nobody else uses, so that the
 * {@code bytes} fields of a request can alias it for as long as they like ({@link #forServer}). A
 * client wants pooled memory that can be handed on and released ({@link #forClient}).
 *
 * <p>The announced length is only a claim: up to {@code trustedBytes} are allocated on the strength
 * of it; beyond that the buffer grows with what has really arrived. A broken stream raises {@link
 * MalformedFrameException} once, after which all further bytes are dropped; the handler behind this
 * one closes the connection.
 *
 * <p>Event loop only.
 */
public final class FrameDecoder extends ChannelInboundHandlerAdapter {
  private static final int LENGTH_BYTES = Integer.BYTES;

  private final boolean heap;
  private final int trustedBytes;
  private int maxFrameBytes;

  private long lengthSoFar;
  private int lengthBytesRead;
  private int frameBytes;
  private ByteBuf frame; // null between frames
  private boolean broken;

  private FrameDecoder(boolean heap, int trustedBytes, int maxFrameBytes) {
    this.heap = heap;
    this.trustedBytes = trustedBytes;
    this.maxFrameBytes = maxFrameBytes;
  }

  /** Frames in heap arrays of their own, which the garbage collector owns. */
  public static FrameDecoder forServer(int maxFrameBytes) {
    return new FrameDecoder(true, 1 << 20, maxFrameBytes);
  }

  /** Frames in buffers of the channel's allocator, to be released by who receives them. */
  public static FrameDecoder forClient(int maxFrameBytes) {
    return new FrameDecoder(false, 16 << 20, maxFrameBytes);
  }

  /**
   * Takes effect with the next frame. Negotiation needs small frames only; calls may need large
   * ones.
   */
  public void maxFrameBytes(int bytes) {
    this.maxFrameBytes = bytes;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf input = (ByteBuf) message;
    try {
      while (!broken && input.isReadable()) {
        if (frame == null) {
          readLength(context, input);
        } else {
          readFrame(context, input);
        }
      }
    } catch (MalformedFrameException e) {
      broken = true;
      context.fireExceptionCaught(e);
    } finally {
      input.release();
    }
  }

  private void readLength(ChannelHandlerContext context, ByteBuf input) {
    while (lengthBytesRead < LENGTH_BYTES && input.isReadable()) {
      lengthSoFar = lengthSoFar << 8 | input.readUnsignedByte();
      lengthBytesRead++;
    }
    if (lengthBytesRead < LENGTH_BYTES) {
      return;
    }
    if (lengthSoFar == 0) {
      throw MalformedFrameException.of("frame of length 0");
    }
    if (lengthSoFar > maxFrameBytes) {
      throw MalformedFrameException.of(
          "frame of %d bytes, but at most %d are accepted", lengthSoFar, maxFrameBytes);
    }
    frameBytes = (int) lengthSoFar;
    int capacity = Math.min(frameBytes, Math.max(trustedBytes, input.readableBytes()));
    frame =
        heap ? Unpooled.buffer(capacity, frameBytes) : context.alloc().buffer(capacity, frameBytes);
    lengthSoFar = 0;
    lengthBytesRead = 0;
  }

  private void readFrame(ChannelHandlerContext context, ByteBuf input) {
    int count = Math.min(input.readableBytes(), frameBytes - frame.readableBytes());
    growFor(count);
    frame.writeBytes(input, count);
    if (frame.readableBytes() == frameBytes) {
      ByteBuf complete = frame;
      frame = null;
      context.fireChannelRead(complete);
    }
  }

  private void growFor(int count) {
    if (frame.writableBytes() < count) {
      long needed = (long) frame.readableBytes() + count;
      frame.capacity((int) Math.min(frameBytes, Math.max(needed, 2L * frame.capacity())));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    discard();
    context.fireChannelInactive();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      discard();
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    discard();
  }

  private void discard() {
    broken = true;
    if (frame != null) {
      frame.release();
      frame = null;
    }
  }
}
