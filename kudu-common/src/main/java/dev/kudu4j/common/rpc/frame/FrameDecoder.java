package dev.kudu4j.common.rpc.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Splits the byte stream of one connection into frames. The frames that it passes on do not include
 * their length field.
 *
 * <p>A frame is copied out of the socket's read buffer into its own buffer. A server uses an
 * unshared heap array, which the {@code bytes} fields of a request may alias indefinitely ({@link
 * #forServer}). A client uses pooled memory, which is released after use ({@link #forClient}); once
 * a long frame has begun, the socket reads straight into it.
 *
 * <p>The announced length is not trusted. The buffer grows with the bytes that arrive, to at most
 * four times their size; a connection that has already sent a long frame is trusted up to that
 * length, within a limit. With an {@link InboundAccount} ({@link #chargeTo}) the buffer is charged
 * before it is allocated, and the connection is not read while the memory is used up. A frame that
 * is passed on stays charged until its receiver calls {@link InboundAccount#release} with its
 * length.
 *
 * <p>A malformed stream throws {@link MalformedFrameException} once; all further bytes are dropped.
 * The next handler closes the connection.
 *
 * <p>Event loop only.
 */
public final class FrameDecoder extends ChannelInboundHandlerAdapter
    implements InboundAccount.Holder {
  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int LARGEST_READ_BYTES = 64 << 10;
  private static final int SMALLEST_DIRECT_READ_BYTES = 16 << 10;
  private static final int SERVER_TRUST_BYTES = 1 << 20;
  private static final int CLIENT_TRUST_BYTES = 16 << 20;

  private final boolean server;
  private int maxFrameBytes;
  private @Nullable InboundAccount account; // null while frames are not charged

  private ChannelHandlerContext context;
  private long lengthSoFar;
  private int lengthBytesRead;
  private int frameBytes;
  private @Nullable ByteBuf frame; // null between frames
  private @Nullable ByteBuf readTarget; // the slice of the frame that the socket reads into
  private long chargedBytes; // for the unfinished frame
  private int trustedBytes;
  private boolean progressing; // whether the account monitors the progress of the frame
  private boolean broken;

  private boolean waiting; // whether the decoder waits for memory from the account
  private int wantedCapacity; // capacity for which the frame waits
  private long wantedBytes;
  private boolean checking; // whether a check for stalled connections is scheduled

  private FrameDecoder(boolean server, int maxFrameBytes) {
    this.server = server;
    this.maxFrameBytes = maxFrameBytes;
  }

  /** Creates a decoder whose frames are separate heap arrays, freed by the garbage collector. */
  public static FrameDecoder forServer(int maxFrameBytes) {
    return new FrameDecoder(true, maxFrameBytes);
  }

  /**
   * Creates a decoder whose frames are buffers of the channel's allocator. The receiver releases
   * them. The channel may read into the frame itself, so handlers before this one must pass the
   * read buffers on unchanged.
   */
  public static FrameDecoder forClient(int maxFrameBytes) {
    return new FrameDecoder(false, maxFrameBytes);
  }

  /**
   * Sets the maximum frame length, from the next frame on. Negotiation needs only small frames;
   * calls may need large ones.
   */
  public void maxFrameBytes(int bytes) {
    this.maxFrameBytes = bytes;
  }

  /**
   * Charges all frames to {@code charged}, from the next frame on. The receiver of a frame must
   * call {@link InboundAccount#release}.
   */
  public void chargeTo(InboundAccount charged) {
    this.account = charged;
    charged.holder(this);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    if (server) {
      added.channel().config().setRecvByteBufAllocator(FrameReads.bounded(this::readLimit));
    } else {
      added.channel().config().setRecvByteBufAllocator(FrameReads.into(this::readTarget));
    }
  }

  /** The maximum size of the next read in bytes, which is smaller under memory pressure. */
  private int readLimit() {
    if (account == null) {
      return Math.min(maxFrameBytes + LENGTH_BYTES, LARGEST_READ_BYTES);
    }
    if (!account.memory().isUnderPressure()) {
      return LARGEST_READ_BYTES;
    }
    int room = frame == null ? 0 : frame.writableBytes();
    return Math.max(InboundMemory.FREE_BYTES, Math.min(room, LARGEST_READ_BYTES));
  }

  /**
   * The free part of the unfinished frame, as a buffer for the next read; null if it is too short.
   */
  private @Nullable ByteBuf readTarget() {
    ByteBuf unfinished = frame;
    readTarget = null; // a read that found no bytes has released it
    if (unfinished == null
        || !unfinished.isDirect() // Netty's channels read into direct buffers only
        || unfinished.writableBytes() < SMALLEST_DIRECT_READ_BYTES) {
      return null;
    }
    readTarget = unfinished.retainedSlice(unfinished.writerIndex(), unfinished.writableBytes());
    return readTarget.clear();
  }

  /** Appends the bytes to the frame that the socket has already written into it. */
  private void readDirectly(ByteBuf unfinished, ByteBuf slice) {
    unfinished.writerIndex(unfinished.writerIndex() + slice.readableBytes());
    slice.skipBytes(slice.readableBytes());
    if (unfinished.readableBytes() == frameBytes) {
      complete(unfinished);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the very buffer, not one of equal content
  public void channelRead(ChannelHandlerContext unused, Object message) {
    ByteBuf input = (ByteBuf) message;
    try {
      ByteBuf unfinishedBefore = frame;
      if (input == readTarget && unfinishedBefore != null) {
        readDirectly(unfinishedBefore, input);
      }
      readTarget = null;
      while (!broken && input.isReadable()) {
        ByteBuf unfinished = frame;
        if (unfinished == null) {
          readLength(input);
        } else {
          readFrame(unfinished, input);
        }
      }
      InboundAccount charged = account;
      if (charged != null && !broken) {
        makeRoom(charged);
      }
    } catch (MalformedFrameException e) {
      fail(e);
    } finally {
      input.release();
    }
  }

  private void fail(MalformedFrameException cause) {
    broken = true;
    context.fireExceptionCaught(cause);
  }

  private void readLength(ByteBuf input) {
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
          "frame of %d bytes exceeds the maximum of %d bytes", lengthSoFar, maxFrameBytes);
    }
    frameBytes = (int) lengthSoFar;
    lengthSoFar = 0;
    lengthBytesRead = 0;
    begin(input.readableBytes());
  }

  private void begin(int arrivedBytes) {
    int capacity = Math.min(frameBytes, Math.max(arrivedBytes, preallocatableBytes()));
    charge(capacity);
    frame =
        server
            ? Unpooled.buffer(capacity, frameBytes)
            : context.alloc().buffer(capacity, frameBytes);
    if (account != null && arrivedBytes < frameBytes) {
      account.beginReading(frameBytes, 0);
      progressing = true;
    }
  }

  /** The number of bytes that may be allocated before they arrive. */
  private int preallocatableBytes() {
    if (account == null || !account.memory().isUnderPressure()) {
      return trustedBytes;
    }
    return 0;
  }

  /** Charges the capacity of the frame unconditionally, because the bytes have already arrived. */
  private void charge(int capacity) {
    if (account != null) {
      long bytes = InboundMemory.weight(capacity);
      account.take(bytes - chargedBytes);
      chargedBytes = bytes;
    }
  }

  private void readFrame(ByteBuf unfinished, ByteBuf input) {
    int count = Math.min(input.readableBytes(), frameBytes - unfinished.readableBytes());
    if (unfinished.writableBytes() < count) {
      int capacity =
          account == null ? nextCapacity(unfinished, count) : unfinished.readableBytes() + count;
      charge(capacity);
      unfinished.capacity(capacity);
    }
    unfinished.writeBytes(input, count);
    if (unfinished.readableBytes() == frameBytes) {
      complete(unfinished);
    } else if (account != null) {
      account.arrived(unfinished.readableBytes());
    }
  }

  private int nextCapacity(ByteBuf unfinished, int count) {
    long needed = (long) unfinished.readableBytes() + count;
    return (int) Math.min(frameBytes, Math.max(needed, 4L * unfinished.readableBytes()));
  }

  private void complete(ByteBuf complete) {
    frame = null;
    trustedBytes =
        Math.max(
            trustedBytes, Math.min(frameBytes, server ? SERVER_TRUST_BYTES : CLIENT_TRUST_BYTES));
    if (account != null) {
      if (progressing) {
        account.endReading();
        progressing = false;
      }
      account.frameComplete(frameBytes);
      chargedBytes = 0;
      wantedCapacity = 0;
    }
    context.fireChannelRead(complete);
  }

  /**
   * Ensures that the next read has a buffer. If the account gets no memory for it, the connection
   * is not read until memory is granted.
   */
  private void makeRoom(InboundAccount charged) {
    if (waiting) {
      return; // the data is from a read that began before the wait
    }
    ByteBuf unfinished = frame;
    if (unfinished == null) {
      if (charged.mustWait() || charged.isRepaying()) {
        await(charged, 0, 0);
      }
      return;
    }
    int min = Math.min(LARGEST_READ_BYTES, frameBytes - unfinished.readableBytes());
    int capacity =
        unfinished.writableBytes() >= min ? unfinished.capacity() : nextCapacity(unfinished, min);
    long more = InboundMemory.weight(capacity) - chargedBytes;
    if (charged.isRepaying()) {
      await(charged, capacity, more);
    } else if (more > 0) {
      if (charged.tryTake(more)) {
        chargedBytes += more;
        unfinished.capacity(capacity);
      } else {
        await(charged, capacity, more);
      }
    }
  }

  private void await(InboundAccount charged, int capacity, long bytes) {
    waiting = true;
    wantedCapacity = capacity;
    wantedBytes = bytes;
    ReadSwitch.of(context.channel()).allow(ReadSwitch.Reason.MEMORY, false);
    charged.await(bytes, frame != null);
    if (!checking) {
      scheduleCheck(charged.memory());
    }
  }

  private void scheduleCheck(InboundMemory memory) {
    checking = true;
    var unused =
        context
            .executor()
            .schedule(() -> check(memory), memory.patienceNanos(), TimeUnit.NANOSECONDS);
  }

  /** If this connection still waits, evicts stalled connections and schedules the next check. */
  private void check(InboundMemory memory) {
    checking = false;
    if (waiting) {
      memory.evictStalled();
      scheduleCheck(memory);
    }
  }

  @Override
  public void granted() {
    execute(this::goOn);
  }

  private void goOn() {
    if (!waiting) {
      return; // the connection was closed; releaseAccount() returned the granted memory
    }
    InboundAccount charged = account;
    assert charged != null : "only a decoder with an account waits";
    waiting = false;
    chargedBytes += wantedBytes;
    ByteBuf unfinished = frame;
    if (unfinished == null) {
      giveBackBeyond(charged, 0);
    } else {
      unfinished.capacity(Math.max(unfinished.capacity(), wantedCapacity));
      giveBackBeyond(charged, InboundMemory.weight(unfinished.capacity()));
      charged.beginReading(frameBytes, unfinished.readableBytes());
      progressing = true;
    }
    ReadSwitch.of(context.channel()).allow(ReadSwitch.Reason.MEMORY, true);
  }

  private void giveBackBeyond(InboundAccount charged, long neededBytes) {
    if (chargedBytes > neededBytes) {
      charged.give(chargedBytes - neededBytes);
      chargedBytes = neededBytes;
    }
  }

  @Override
  public void evicted(String reason) {
    execute(
        () -> {
          if (!broken) {
            discard();
            fail(MalformedFrameException.of("%s", reason));
          }
        });
  }

  private void execute(Runnable task) {
    try {
      context.executor().execute(task);
    } catch (RejectedExecutionException e) {
      // The event loops are stopped, so this connection is closed.
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext unused) {
    discard();
    context.fireChannelInactive();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext unused, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      discard();
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext unused) {
    discard();
  }

  private void discard() {
    broken = true;
    if (frame != null) {
      frame.release();
      frame = null;
    }
    if (account != null) {
      releaseAccount(account);
    }
  }

  private void releaseAccount(InboundAccount charged) {
    if (waiting) {
      waiting = false;
      if (charged.stopWaiting()) {
        chargedBytes += wantedBytes;
      }
    }
    charged.close();
    giveBackBeyond(charged, 0);
  }
}
