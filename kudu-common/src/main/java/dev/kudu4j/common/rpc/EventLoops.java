package dev.kudu4j.common.rpc;

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
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The threads that move bytes, epoll's where the platform has it. Many servers and clients of one
 * process may share one; who opened it closes it, after all of them.
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

  /** Opens loops on daemon threads called {@code name}. */
  public static EventLoops open(String name, int threads) {
    boolean epoll = Epoll.isAvailable();
    var handler = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    var threadFactory = new DefaultThreadFactory(name, true);
    return new EventLoops(
        new MultiThreadIoEventLoopGroup(threads, threadFactory, handler),
        epoll,
        new NameResolution(name));
  }

  /** As many as suit a process that has other work to do too. */
  public static int defaultThreads() {
    return Math.max(2, Runtime.getRuntime().availableProcessors() / 2);
  }

  public EventLoopGroup group() {
    return group;
  }

  /** For connections of whatever protocol; no handler is set. */
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

  /** For a port of whatever protocol; no handler is set. */
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
   * Waits for {@code future}, but not on a thread that would have to fulfil it, and not for ever.
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

  /** Stops the threads, waiting for them a few seconds at most. A second close does nothing. */
  @Override
  public void close() {
    Future<?> stopped =
        group.shutdownGracefully(0, CLOSE_TIMEOUT_MILLIS / 2, TimeUnit.MILLISECONDS);
    await(stopped, CLOSE_TIMEOUT_MILLIS);
    names.close();
  }
}
