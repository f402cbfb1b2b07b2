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
 * Cuts the byte stream of one connection into frames, without their total length.
 *
 * <p>A frame is copied out of the socket's read buffer into a buffer of its own. What that buffer
 * is depends on the end. A server wants a heap array that nobody else uses, so that the {@code
 * bytes} fields of a request can alias it for as long as they like ({@link #forServer}). A client
 * wants pooled memory that can be handed on and released ({@link #forClient}).
 *
 * <p>The announced length is only a claim. The buffer grows with what has really arrived, to at
 * most four times as much; a connection that has brought a long frame before is believed as much
 * again. With an {@link InboundAccount} ({@link #chargeTo}) the buffer is charged before it is
 * allocated, and the connection is not read while the memory is exhausted. A frame that is handed
 * on stays charged until its receiver calls {@link InboundAccount#release} with its length.
 *
 * <p>A broken stream raises {@link MalformedFrameException} once, after which all further bytes are
 * dropped; the handler behind this one closes the connection.
 *
 * <p>Event loop only.
 */
public final class FrameDecoder extends ChannelInboundHandlerAdapter
    implements InboundAccount.Holder {
  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int LARGEST_READ_BYTES = 64 << 10;
  private static final int SERVER_TRUST_BYTES = 1 << 20;
  private static final int CLIENT_TRUST_BYTES = 16 << 20;

  private final boolean server;
  private int maxFrameBytes;
  private @Nullable InboundAccount account; // null as long as frames are free of charge

  private ChannelHandlerContext context;
  private long lengthSoFar;
  private int lengthBytesRead;
  private int frameBytes;
  private @Nullable ByteBuf frame; // null between frames
  private long chargedBytes; // for the unfinished frame
  private int trustedBytes;
  private boolean progressing; // the account watches the frame
  private boolean broken;

  private boolean waiting; // for the account
  private int wantedCapacity; // of this frame; 0 for what it has
  private long wantedBytes;
  private boolean checking; // a look at those who stand still is scheduled

  private FrameDecoder(boolean server, int maxFrameBytes) {
    this.server = server;
    this.maxFrameBytes = maxFrameBytes;
  }

  /** Frames in heap arrays of their own, which the garbage collector owns. */
  public static FrameDecoder forServer(int maxFrameBytes) {
    return new FrameDecoder(true, maxFrameBytes);
  }

  /** Frames in buffers of the channel's allocator, to be released by who receives them. */
  public static FrameDecoder forClient(int maxFrameBytes) {
    return new FrameDecoder(false, maxFrameBytes);
  }

  /**
   * Takes effect with the next frame. Negotiation needs small frames only; calls may need large
   * ones.
   */
  public void maxFrameBytes(int bytes) {
    this.maxFrameBytes = bytes;
  }

  /**
   * Charges all frames from the next one on. Whoever receives one must release it: {@link
   * InboundAccount#release}.
   */
  public void chargeTo(InboundAccount charged) {
    this.account = charged;
    charged.holder(this);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    if (server) {
      added.channel().config().setRecvByteBufAllocator(new BoundedReads(this::readLimit));
    }
  }

  /** A connection reads no more at once than it may hold. */
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

  @Override
  public void channelRead(ChannelHandlerContext unused, Object message) {
    ByteBuf input = (ByteBuf) message;
    try {
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
          "frame of %d bytes, but at most %d are accepted", lengthSoFar, maxFrameBytes);
    }
    frameBytes = (int) lengthSoFar;
    lengthSoFar = 0;
    lengthBytesRead = 0;
    begin(input.readableBytes());
  }

  private void begin(int arrivedBytes) {
    int capacity = Math.min(frameBytes, Math.max(arrivedBytes, believedBytes()));
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

  /** What may be allocated before it has arrived. */
  private int believedBytes() {
    if (account == null || !account.memory().isUnderPressure()) {
      return trustedBytes;
    }
    return 0;
  }

  /** Charges the frame for a capacity, whatever the memory says: the bytes are here. */
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

  /** Makes sure that the next read finds room; else there is none until the account has some. */
  private void makeRoom(InboundAccount charged) {
    if (waiting) {
      return; // read in spite of the wait, because it was on its way
    }
    ByteBuf unfinished = frame;
    if (unfinished == null) {
      if (charged.mustWait() || charged.isRepaying()) {
        await(charged, 0, 0);
      }
      return;
    }
    int least = Math.min(LARGEST_READ_BYTES, frameBytes - unfinished.readableBytes());
    int capacity =
        unfinished.writableBytes() >= least
            ? unfinished.capacity()
            : nextCapacity(unfinished, least);
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

  /** Who waits looks after those who keep the others waiting. */
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
      return; // ended meanwhile, and has given back what it was granted
    }
    InboundAccount charged = account;
    assert charged != null : "nobody waits without an account";
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
      // The loops have been stopped, and this connection with them.
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
      settle(account);
    }
  }

  private void settle(InboundAccount charged) {
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
