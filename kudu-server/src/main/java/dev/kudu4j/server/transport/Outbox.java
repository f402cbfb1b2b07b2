package dev.kudu4j.server.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * The frames that wait to be sent on one channel. Frames accumulate while the event loop is busy
 * and are sent together: many per buffer, with one flush at the end.
 *
 * <p>Any thread may add frames. The channel's handler calls {@link #writable} when the channel
 * becomes writable again.
 */
final class Outbox {
  /**
   * Limits of the bytes that a channel buffers. Above the high limit, further frames stay in the
   * outbox.
   */
  static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(256 << 10, 1 << 20);

  private static final int BATCH_BYTES = 256 << 10;

  private final Channel channel;
  private final LongAdder flushes;
  private final Queue<Frame> frames = new ConcurrentLinkedQueue<>();
  private final Deque<Frame> batch = new ArrayDeque<>(); // event loop only
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /**
   * @param flushes counts flushes of channels
   */
  Outbox(Channel channel, LongAdder flushes) {
    this.channel = channel;
    this.flushes = flushes;
  }

  void add(Frame frame) {
    frames.add(frame);
    if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
      try {
        channel.eventLoop().execute(this::write);
      } catch (RejectedExecutionException e) { // the loops are closed, and the channel with them
        frames.clear();
      }
    }
  }

  /** The channel is writable again; called on its event loop. */
  void writable() {
    if (!frames.isEmpty()) {
      write();
    }
  }

  private void write() {
    scheduled.set(false); // frames added from here on are either seen below or schedule a write
    boolean written = false;
    while (channel.isWritable() && !frames.isEmpty()) {
      channel.write(nextBatch(), channel.voidPromise());
      written = true;
    }
    if (written) {
      channel.flush();
      flushes.increment();
    }
  }

  private ByteBuf nextBatch() {
    int bytes = 0;
    for (Frame frame = frames.peek(); frame != null; frame = frames.peek()) {
      if (bytes > 0 && bytes + frame.bytes() > BATCH_BYTES) {
        break;
      }
      bytes += frame.bytes();
      batch.add(frames.poll());
    }
    ByteBuf out = channel.alloc().directBuffer(bytes, bytes);
    for (Frame frame = batch.poll(); frame != null; frame = batch.poll()) {
      frame.writeTo(out);
    }
    return out;
  }
}
