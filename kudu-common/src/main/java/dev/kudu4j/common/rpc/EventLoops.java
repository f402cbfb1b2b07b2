package dev.kudu4j.common.rpc;

import dev.kudu4j.common.thread.EventLoopThread;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.unix.DomainSocketChannel;
import io.netty.channel.unix.PeerCredentials;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The I/O threads. Several servers and clients of a process may share them. Whoever opens the event
 * loops must close them, after all servers and clients that use them.
 */
public final class EventLoops implements AutoCloseable {
  private static final int KEEP_ALIVE_IDLE_SECONDS = 60;
  private static final int KEEP_ALIVE_INTERVAL_SECONDS = 3;
  private static final int KEEP_ALIVE_TRIES = 10;

  /**
   * The send buffer of a Unix-domain socket, which the kernel does not enlarge by itself as it does
   * for TCP; it limits the size to {@code net.core.wmem_max}. With the default, 208 KB, a batch of
   * 1 MB changes between the two processes five times.
   */
  private static final int LOCAL_SEND_BUFFER_BYTES = 2 << 20;

  private static final int BACKLOG = 1024;
  private static final long CLOSE_TIMEOUT_MILLIS = 5_000;

  private final EventLoopGroup group;
  private final RpcIo io;
  private final NameResolution names;

  private EventLoops(EventLoopGroup group, RpcIo io, NameResolution names) {
    this.group = group;
    this.io = io;
    this.names = names;
  }

  /**
   * Opens event loops on daemon threads whose names start with {@code name}, with the best I/O that
   * this machine has.
   */
  public static EventLoops open(String name, int threads) {
    return open(name, threads, RpcIo.best());
  }

  /** Opens event loops on daemon threads whose names start with {@code name}. */
  public static EventLoops open(String name, int threads, RpcIo io) {
    var threadFactory = threadFactory(name);
    return new EventLoops(
        new MultiThreadIoEventLoopGroup(threads, threadFactory, io.handler()),
        io,
        new NameResolution(name));
  }

  private static ThreadFactory threadFactory(String name) {
    AtomicInteger started = new AtomicInteger();
    return target -> new EventLoopThread(target, name + "-" + started.incrementAndGet());
  }

  /** A suitable number of threads for a process that also has other work. */
  public static int defaultThreads() {
    return Math.max(2, Runtime.getRuntime().availableProcessors() / 2);
  }

  public EventLoopGroup group() {
    return group;
  }

  /** Whether servers and clients on these event loops can use Unix-domain sockets. */
  public boolean offersLocalSockets() {
    return io.offersLocalSockets();
  }

  /** The process that is connected to the Unix-domain socket of this channel; empty for TCP. */
  Optional<Caller.LocalProcess> processAtOtherEnd(Channel channel) {
    if (!(channel instanceof DomainSocketChannel local)) {
      return Optional.empty();
    }
    try {
      PeerCredentials credentials = io.credentials(local);
      return Optional.of(new Caller.LocalProcess(credentials.pid(), credentials.uid()));
    } catch (IOException e) {
      return Optional.of(new Caller.LocalProcess(-1, -1)); // already closed
    }
  }

  /** Bootstrap for TCP connections to servers, of any protocol; sets no handler. */
  public Bootstrap clientBootstrap() {
    Bootstrap bootstrap =
        new Bootstrap()
            .group(group)
            .channel(io.clientChannel(false))
            .resolver(names)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true);
    keepAlive().forEach((option, value) -> bootstrap.option(option, value));
    return bootstrap;
  }

  /** Bootstrap for connections to Unix-domain sockets; sets no handler. */
  Bootstrap localClientBootstrap() {
    return new Bootstrap()
        .group(group)
        .channel(io.clientChannel(true))
        .option(ChannelOption.SO_SNDBUF, LOCAL_SEND_BUFFER_BYTES);
  }

  /** Bootstrap for TCP ports of any protocol; sets no handler. */
  public ServerBootstrap serverBootstrap() {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(group)
            .channel(io.serverChannel(false))
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true);
    keepAlive().forEach((option, value) -> bootstrap.childOption(option, value));
    return bootstrap;
  }

  /** Bootstrap for Unix-domain sockets; sets no handler. */
  ServerBootstrap localServerBootstrap() {
    return new ServerBootstrap()
        .group(group)
        .channel(io.serverChannel(true))
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .childOption(ChannelOption.SO_SNDBUF, LOCAL_SEND_BUFFER_BYTES);
  }

  /** The options that find dead peers within two minutes. NIO has no such options. */
  private Map<ChannelOption<Integer>, Integer> keepAlive() {
    return switch (io) {
      case EPOLL ->
          Map.of(
              EpollChannelOption.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS,
              EpollChannelOption.TCP_KEEPINTVL, KEEP_ALIVE_INTERVAL_SECONDS,
              EpollChannelOption.TCP_KEEPCNT, KEEP_ALIVE_TRIES);
      case IO_URING ->
          Map.of(
              IoUringChannelOption.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS,
              IoUringChannelOption.TCP_KEEPINTVL, KEEP_ALIVE_INTERVAL_SECONDS,
              IoUringChannelOption.TCP_KEEPCNT, KEEP_ALIVE_TRIES);
      case NIO -> Map.of();
    };
  }

  /**
   * Waits for {@code future} up to the timeout. Returns immediately on a thread of these event
   * loops, because that thread might have to complete the future.
   */
  public void await(Future<?> future, long timeoutMillis) {
    for (EventExecutor executor : group) {
      if (executor.inEventLoop()) {
        return;
      }
    }
    boolean interrupted = Thread.interrupted();
    try {
      future.await(timeoutMillis);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops the threads and waits up to a few seconds for them. A second close does nothing. */
  @Override
  public void close() {
    Future<?> stopped =
        group.shutdownGracefully(0, CLOSE_TIMEOUT_MILLIS / 2, TimeUnit.MILLISECONDS);
    await(stopped, CLOSE_TIMEOUT_MILLIS);
    names.close();
  }
}
