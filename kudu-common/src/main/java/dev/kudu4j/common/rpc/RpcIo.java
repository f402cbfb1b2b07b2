package dev.kudu4j.common.rpc;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketChannel;
import io.netty.channel.unix.PeerCredentials;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringDomainSocketChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerDomainSocketChannel;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ways in which event loops read and write sockets. */
public enum RpcIo {
  /** Linux, with the readiness events of epoll. */
  EPOLL(true) {
    @Override
    @Nullable Throwable missing() {
      return Epoll.unavailabilityCause();
    }

    @Override
    IoHandlerFactory handler() {
      return EpollIoHandler.newFactory();
    }

    @Override
    Class<? extends Channel> clientChannel(boolean local) {
      return local ? EpollDomainSocketChannel.class : EpollSocketChannel.class;
    }

    @Override
    Class<? extends ServerChannel> serverChannel(boolean local) {
      return local ? EpollServerDomainSocketChannel.class : EpollServerSocketChannel.class;
    }

    @Override
    PeerCredentials credentials(DomainSocketChannel channel) throws IOException {
      return ((EpollDomainSocketChannel) channel).peerCredentials();
    }
  },

  /** Linux 5.14 and later, with the submission and completion queues of io_uring. */
  IO_URING(true) {
    @Override
    @Nullable Throwable missing() {
      return IoUring.unavailabilityCause();
    }

    @Override
    IoHandlerFactory handler() {
      return IoUringIoHandler.newFactory();
    }

    @Override
    Class<? extends Channel> clientChannel(boolean local) {
      return local ? IoUringDomainSocketChannel.class : IoUringSocketChannel.class;
    }

    @Override
    Class<? extends ServerChannel> serverChannel(boolean local) {
      return local ? IoUringServerDomainSocketChannel.class : IoUringServerSocketChannel.class;
    }

    @Override
    PeerCredentials credentials(DomainSocketChannel channel) throws IOException {
      return ((IoUringDomainSocketChannel) channel).peerCredentials();
    }
  },

  /** Every operating system, with the selectors of the Java library. */
  NIO(false) {
    @Override
    @Nullable Throwable missing() {
      return null;
    }

    @Override
    IoHandlerFactory handler() {
      return NioIoHandler.newFactory();
    }

    @Override
    Class<? extends Channel> clientChannel(boolean local) {
      return NioSocketChannel.class;
    }

    @Override
    Class<? extends ServerChannel> serverChannel(boolean local) {
      return NioServerSocketChannel.class;
    }

    @Override
    PeerCredentials credentials(DomainSocketChannel channel) {
      throw new IllegalStateException("Event loops with NIO have no Unix-domain sockets");
    }
  };

  private static final Logger log = LoggerFactory.getLogger(RpcIo.class);
  private static final AtomicBoolean fallBackLogged = new AtomicBoolean();

  private final boolean localSockets;

  RpcIo(boolean localSockets) {
    this.localSockets = localSockets;
  }

  /** The default: epoll if this machine has it, which Linux always should. */
  public static RpcIo best() {
    Throwable missing = EPOLL.missing();
    if (missing == null) {
      return EPOLL;
    }
    if (PlatformDependent.normalizedOs().equals("linux")
        && fallBackLogged.compareAndSet(false, true)) {
      log.warn(
          "epoll is not available, using NIO without Unix-domain sockets: {}", missing.toString());
    }
    return NIO;
  }

  /** The name in flags: lower case. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The names of all kinds. */
  public static List<String> texts() {
    return Arrays.stream(values()).map(RpcIo::text).toList();
  }

  /**
   * The kind with a name.
   *
   * @throws KuduException INVALID_ARGUMENT if there is none; NOT_SUPPORTED if this machine does not
   *     have it
   */
  public static RpcIo of(String text) {
    for (RpcIo io : values()) {
      if (io.text().equals(text)) {
        io.requireAvailable();
        return io;
      }
    }
    throw KuduException.invalidArgument(
        "Unknown kind of I/O %s; the kinds are %s", text, String.join(", ", texts()));
  }

  private void requireAvailable() {
    Throwable missing = missing();
    if (missing != null) {
      throw new KuduException(
          StatusCode.NOT_SUPPORTED,
          "This machine has no " + text() + ": " + missing.getMessage(),
          missing);
    }
  }

  public boolean isAvailable() {
    return missing() == null;
  }

  /** Whether connections over {@link LocalSockets} are possible. */
  boolean offersLocalSockets() {
    return localSockets;
  }

  /** Why this machine does not have this kind of I/O; null if it has. */
  abstract @Nullable Throwable missing();

  abstract IoHandlerFactory handler();

  /**
   * @param local whether the channel connects to a Unix-domain socket
   */
  abstract Class<? extends Channel> clientChannel(boolean local);

  /**
   * @param local whether the channel listens on a Unix-domain socket
   */
  abstract Class<? extends ServerChannel> serverChannel(boolean local);

  /** The process at the other end, as the kernel recorded it when it connected. */
  abstract PeerCredentials credentials(DomainSocketChannel channel) throws IOException;
}
