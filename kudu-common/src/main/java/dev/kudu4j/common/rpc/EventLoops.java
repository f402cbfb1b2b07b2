package dev.kudu4j.common.rpc;

import dev.kudu4j.common.thread.EventLoopThread;
import io.netty.bootstrap.AbstractBootstrap;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The I/O threads, which use epoll if available. Several servers and clients of a process may share
 * them. Whoever opens the event loops must close them, after all servers and clients that use them.
 */
public final class EventLoops implements AutoCloseable {
  private static final int KEEP_ALIVE_IDLE_SECONDS = 60;
  private static final int KEEP_ALIVE_INTERVAL_SECONDS = 3;
  private static final int KEEP_ALIVE_TRIES = 10;
  private static final long CLOSE_TIMEOUT_MILLIS = 5_000;

  private final EventLoopGroup group;
  private final boolean epoll;
  private final NameResolution names;

  private EventLoops(EventLoopGroup group, boolean epoll, NameResolution names) {
    this.group = group;
    this.epoll = epoll;
    this.names = names;
  }

  /** Opens event loops on daemon threads whose names start with {@code name}. */
  public static EventLoops open(String name, int threads) {
    boolean epoll = Epoll.isAvailable();
    var handler = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    var threadFactory = threadFactory(name);
    return new EventLoops(
        new MultiThreadIoEventLoopGroup(threads, threadFactory, handler),
        epoll,
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

  /** Bootstrap for client connections of any protocol; sets no handler. */
  public Bootstrap clientBootstrap() {
    Bootstrap bootstrap =
        new Bootstrap()
            .group(group)
            .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
            .resolver(names)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true);
    if (epoll) {
      keepAlive(bootstrap);
    }
    return bootstrap;
  }

  private static void keepAlive(AbstractBootstrap<?, ?> bootstrap) {
    bootstrap
        .option(EpollChannelOption.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS)
        .option(EpollChannelOption.TCP_KEEPINTVL, KEEP_ALIVE_INTERVAL_SECONDS)
        .option(EpollChannelOption.TCP_KEEPCNT, KEEP_ALIVE_TRIES);
  }

  /** Bootstrap for server ports of any protocol; sets no handler. */
  public ServerBootstrap serverBootstrap() {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(group)
            .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.SO_BACKLOG, 1024)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true);
    if (epoll) {
      bootstrap
          .childOption(EpollChannelOption.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS)
          .childOption(EpollChannelOption.TCP_KEEPINTVL, KEEP_ALIVE_INTERVAL_SECONDS)
          .childOption(EpollChannelOption.TCP_KEEPCNT, KEEP_ALIVE_TRIES);
    }
    return bootstrap;
  }

  /**
   * Waits for {@code future} up to the timeout. Returns at once on a thread of these event loops,
   * because that thread might have to complete the future.
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
