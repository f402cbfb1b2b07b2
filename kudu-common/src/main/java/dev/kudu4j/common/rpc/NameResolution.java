package dev.kudu4j.common.rpc;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.resolver.InetSocketAddressResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Resolves host names for connections on separate threads. The name service of the system blocks
 * its caller, sometimes for minutes; Netty's default resolver calls it on the event loop, where one
 * name would delay all connections. IP addresses need no lookup.
 */
final class NameResolution extends AddressResolverGroup<InetSocketAddress> {
  private static final int THREADS = 4;
  private static final int QUEUE_LENGTH = 1024;
  private static final long IDLE_THREAD_SECONDS = 10;

  /** The name service of the system. */
  interface NameService {
    List<InetAddress> addressesOf(String host) throws UnknownHostException;
  }

  private final NameService names;
  private final ThreadPoolExecutor lookups;

  /**
   * @param name start of the threads' names
   */
  NameResolution(String name) {
    this(name, host -> List.of(InetAddress.getAllByName(host)));
  }

  NameResolution(String name, NameService names) {
    this.names = names;
    this.lookups =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_THREAD_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(QUEUE_LENGTH),
            new DefaultThreadFactory(name + "-names", true));
    lookups.allowCoreThreadTimeOut(true);
  }

  @Override
  protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
    return new InetSocketAddressResolver(executor, new Lookup(executor));
  }

  /** Stops the threads. Lookups in progress end by themselves. */
  @Override
  public void close() {
    super.close();
    lookups.shutdownNow();
  }

  private final class Lookup extends InetNameResolver {
    Lookup(EventExecutor executor) {
      super(executor);
    }

    @Override
    protected void doResolve(String host, Promise<InetAddress> promise) {
      Promise<List<InetAddress>> all = executor().newPromise();
      all.addListener(
          done -> {
            if (done.isSuccess()) {
              promise.trySuccess(all.getNow().get(0));
            } else {
              promise.tryFailure(done.cause());
            }
          });
      doResolveAll(host, all);
    }

    @Override
    protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
      byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
      if (literal != null) {
        succeed(host, literal, promise);
        return;
      }
      try {
        lookups.execute(() -> lookUp(host, promise));
      } catch (RejectedExecutionException e) {
        promise.tryFailure(
            new UnknownHostException(
                host + ": too many names are being looked up; is the name service slow?"));
      }
    }

    private static void succeed(String host, byte[] address, Promise<List<InetAddress>> promise) {
      try {
        promise.trySuccess(List.of(InetAddress.getByAddress(host, address)));
      } catch (UnknownHostException e) {
        promise.tryFailure(e);
      }
    }

    private void lookUp(String host, Promise<List<InetAddress>> promise) {
      try {
        promise.trySuccess(names.addressesOf(host));
      } catch (UnknownHostException | RuntimeException e) {
        promise.tryFailure(e);
      }
    }
  }
}
