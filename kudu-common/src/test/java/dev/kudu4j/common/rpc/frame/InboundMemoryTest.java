package dev.kudu4j.common.rpc.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class InboundMemoryTest {
  private static final int LARGEST_FRAME = 400 << 10;
  private static final long PATIENCE_MILLIS = 1_000;

  private final AtomicLong nanos = new AtomicLong();

  /** A client that only sends what the server reads, and a receiver that keeps the frames. */
  private static final class Connection extends ChannelInboundHandlerAdapter {
    final InboundAccount account;
    final EmbeddedChannel channel;
    final ArrayDeque<Integer> received = new ArrayDeque<>();
    @Nullable String failure; // null while there is none
    int unsent; // bytes of the current frame that are not sent
    int completed;

    Connection(InboundMemory memory) {
      account = memory.open();
      FrameDecoder decoder = FrameDecoder.forServer(LARGEST_FRAME);
      decoder.chargeTo(account);
      channel = new EmbeddedChannel(decoder, this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf frame = (ByteBuf) message;
      received.add(frame.readableBytes());
      completed++;
      frame.release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      failure = cause.getMessage();
      context.close();
    }

    boolean isRead() {
      return channel.isOpen() && ReadSwitch.of(channel).isReading();
    }

    void announce(int frameBytes) {
      channel.writeInbound(Unpooled.buffer(4).writeInt(frameBytes));
      unsent = frameBytes;
    }

    void bring(int bytes) {
      int count = Math.min(bytes, unsent);
      unsent -= count;
      channel.writeInbound(Unpooled.wrappedBuffer(new byte[count]));
    }

    void releaseFirst() {
      account.release(received.remove());
    }

    void end() {
      channel.close();
      while (!received.isEmpty()) {
        releaseFirst();
      }
    }
  }

  private InboundMemory memory(int capacityBytes) {
    return new InboundMemory(capacityBytes, PATIENCE_MILLIS, nanos::get);
  }

  private static void runTasks(List<Connection> connections) {
    for (int i = 0; i < 3; i++) {
      connections.forEach(connection -> connection.channel.runPendingTasks());
    }
  }

  private static long chargedBytes(List<Connection> connections) {
    return connections.stream()
        .mapToLong(c -> Math.max(0, c.account.heldBytes() - InboundMemory.FREE_BYTES))
        .sum();
  }

  /**
   * The sum is correct after each step, no set of clients blocks itself, and no memory is left
   * reserved.
   */
  @Property(tries = 300)
  void anyInterleavingKeepsTheSumAndCompletes(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int clients) {
    Random random = new Random(seed);
    InboundMemory memory = memory(LARGEST_FRAME + random.nextInt(LARGEST_FRAME));
    List<Connection> connections = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      connections.add(new Connection(memory));
    }
    for (int step = 0; step < 300; step++) {
      act(connections.get(random.nextInt(clients)), random);
      runTasks(connections);
      assertThat(memory.usedBytes()).isEqualTo(chargedBytes(connections));
      assertThat(memory.usedBytes())
          .isLessThan(memory.capacityBytes() + (1 << 20) + clients * (64L << 10));
    }
    finish(connections);
    connections.forEach(Connection::end);
    runTasks(connections);
    assertThat(memory.usedBytes()).isZero();
    assertThat(memory.waitingConnections()).isZero();
  }

  private static void act(Connection connection, Random random) {
    int dice = random.nextInt(100);
    if (dice < 3) {
      connection.end();
    } else if (dice < 25 && !connection.received.isEmpty()) {
      connection.releaseFirst();
    } else if (connection.isRead()) {
      if (connection.unsent == 0) {
        connection.announce(
            1 + random.nextInt(random.nextBoolean() ? InboundMemory.FREE_BYTES : LARGEST_FRAME));
      } else {
        connection.bring(1 + random.nextInt(64 << 10));
      }
    }
  }

  /** Every remaining client completes its frame. */
  private static void finish(List<Connection> connections) {
    for (int round = 0; round < 1_000; round++) {
      for (Connection connection : connections) {
        while (!connection.received.isEmpty()) {
          connection.releaseFirst();
        }
        if (connection.isRead()) {
          connection.bring(64 << 10);
        }
      }
      runTasks(connections);
    }
    assertThat(connections).allMatch(c -> c.unsent == 0 || !c.channel.isOpen());
  }

  @Test
  void announcedLengthAllocatesNothing() {
    InboundMemory memory = memory(64 << 20);
    Connection connection = new Connection(memory);
    connection.announce(LARGEST_FRAME);
    connection.bring(100);
    assertThat(connection.account.heldBytes()).isLessThan(128 << 10);
    assertThat(memory.usedBytes()).isLessThan(128 << 10);
    connection.end();
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void smallRequestsProceedWhileLongOnesWait() {
    InboundMemory memory = memory(1 << 20);
    List<Connection> connections = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Connection connection = new Connection(memory);
      connections.add(connection);
      connection.announce(LARGEST_FRAME);
      while (connection.isRead() && connection.unsent > 1) {
        connection.bring(Math.min(32 << 10, connection.unsent - 1));
        runTasks(connections);
      }
    }
    assertThat(memory.waitingConnections()).isGreaterThan(10);
    Connection small = new Connection(memory);
    for (int i = 0; i < 100; i++) {
      small.announce(3_000);
      small.bring(3_000);
      assertThat(small.received).hasSize(1);
      small.releaseFirst();
      assertThat(small.isRead()).isTrue();
    }
    Connection heartbeat = new Connection(memory);
    heartbeat.announce(40_000);
    while (heartbeat.unsent > 0) {
      assertThat(heartbeat.isRead()).isTrue();
      heartbeat.bring(InboundMemory.FREE_BYTES);
    }
    assertThat(heartbeat.received).hasSize(1);
  }

  @Test
  void aStalledFrameEndsItsConnectionIfOthersWait() {
    InboundMemory memory = memory(LARGEST_FRAME);
    List<Connection> all = new ArrayList<>();
    Connection waiting = null;
    while (waiting == null) { // until no client gets more memory, including the overdraft
      Connection slow = new Connection(memory);
      all.add(slow);
      slow.announce(LARGEST_FRAME);
      while (slow.isRead() && slow.unsent > LARGEST_FRAME / 2) {
        slow.bring(32 << 10);
        runTasks(all);
      }
      waiting = slow.isRead() ? null : slow;
    }
    pass(all, PATIENCE_MILLIS); // all of them made progress in this time
    assertThat(all).allMatch(connection -> connection.channel.isOpen());
    pass(all, PATIENCE_MILLIS);
    assertThat(memory.evictions()).isPositive();
    assertThat(all.get(0).failure).contains("while other connections wait for memory");
    assertThat(waiting.channel.isOpen()).isTrue();
    assertThat(waiting.isRead()).isTrue();
  }

  @Test
  void aFrameMayStallIfNoOthersWait() {
    InboundMemory memory = memory(LARGEST_FRAME * 4);
    Connection slow = new Connection(memory);
    slow.announce(LARGEST_FRAME);
    slow.bring(LARGEST_FRAME / 2);
    pass(List.of(slow), 100 * PATIENCE_MILLIS);
    memory.evictStalled();
    Connection other = new Connection(memory);
    other.announce(1_000);
    other.bring(1_000);
    assertThat(slow.channel.isOpen()).isTrue();
    assertThat(other.completed).isEqualTo(1);
  }

  @Test
  void onlyOneFrameAtATimeExceedsTheCapacity() {
    InboundMemory memory = memory(LARGEST_FRAME / 2);
    Connection first = new Connection(memory);
    Connection second = new Connection(memory);
    List<Connection> both = List.of(first, second);
    first.announce(LARGEST_FRAME);
    second.announce(LARGEST_FRAME);
    for (int i = 0; i < 20; i++) {
      both.stream().filter(Connection::isRead).forEach(c -> c.bring(64 << 10));
      runTasks(both);
    }
    assertThat(first.completed + second.completed).isEqualTo(1);
    Connection done = first.completed == 1 ? first : second;
    Connection other = first.completed == 1 ? second : first;
    assertThat(done.isRead()).isFalse();
    assertThat(other.isRead()).isFalse();
    done.releaseFirst();
    for (int i = 0; i < 20; i++) {
      runTasks(both);
      if (other.isRead()) {
        other.bring(64 << 10);
      }
    }
    assertThat(other.completed).isEqualTo(1);
  }

  private void pass(List<Connection> connections, long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    connections.forEach(c -> c.channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS));
    connections.forEach(c -> c.channel.runScheduledPendingTasks());
    runTasks(connections);
  }
}
