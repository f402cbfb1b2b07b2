package dev.kudu4j.tserver.copy;

import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.metrics.model.MetricEntity;
import dev.kudu4j.server.process.ServerProcess;
import dev.kudu4j.server.rpc.ServerIdentity;
import dev.kudu4j.server.rpc.TabletCopyTarget;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;

/** Assembles the parts for tablet copies to and from a tablet server. */
public final class TabletCopies implements AutoCloseable {
  private static final int READING_THREADS = 2;
  private static final int CLOSE_SECONDS = 5;

  private final CopyMeters meters = new CopyMeters();
  private final TabletRegistry tablets;
  private final BufferAllocator allocator;
  private final SourceSessions sessions;
  private final ExecutorService reading;
  private final ExecutorService copying;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final TabletCopyService service;
  private final CopyTarget target;

  /**
   * @param client the client for calls to other servers
   * @param timer shared
   */
  public TabletCopies(
      ServerProcess process,
      TabletRegistry tablets,
      FileStore files,
      RpcClient client,
      ScheduledExecutorService timer) {
    Flags flags = process.flags();
    String uuid = process.identity().uuid();
    this.tablets = tablets;
    this.allocator = process.memory().scans().newChildAllocator("copies", 0, Long.MAX_VALUE);
    this.sessions =
        new SourceSessions(flags.get(CopyOptions.IDLE_TIMEOUT), meters, System::nanoTime, timer);
    this.reading = threads("copy-source", READING_THREADS);
    int max = flags.get(CopyOptions.SIMULTANEOUS);
    this.copying = threads("copy-target", max);
    int chunkBytes = flags.get(CopyOptions.CHUNK_BYTES);
    this.service =
        new TabletCopyService(
            uuid,
            tablets,
            sessions,
            new TransferThrottle(
                flags.supplier(CopyOptions.BYTES_PER_SECOND)::get, System::nanoTime),
            meters,
            files,
            allocator,
            chunkBytes,
            reading,
            timer);
    this.target =
        new CopyTarget(
            new TabletCopy.Settings(
                uuid,
                process.files().raftDirectory(),
                chunkBytes,
                flags.get(CopyOptions.CHUNKS_UNDER_WAY),
                closing),
            tablets.copies(),
            client,
            ServerIdentity.toWire(process.identity().raft()),
            meters,
            copying,
            max,
            System::nanoTime);
  }

  private static ExecutorService threads(String name, int count) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            count,
            count,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "tserver-" + name);
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** The service from which other servers copy. */
  public RpcService service() {
    return service.service();
  }

  /** Receives the requests of leaders and operators to copy a tablet to this server. */
  public TabletCopyTarget target() {
    return target;
  }

  public WebPage page() {
    return CopiesPage.of(tablets, sessions, meters);
  }

  public void measure(MetricEntity.Readings readings) {
    meters.measure(readings);
  }

  /** Reacts to a change of a tablet: ends the sessions of a tablet that no longer runs here. */
  public void tabletChanged(String tabletId) {
    HostedTablet hosted = tablets.find(tabletId);
    if (hosted == null || !hosted.isRunning()) {
      sessions.endAll(session -> session.tabletId().equals(tabletId));
    }
  }

  /**
   * Stops copies to this server, which keep their complete files for a later copy, and ends copies
   * from it.
   */
  @Override
  public void close() {
    closing.countDown();
    copying.shutdownNow();
    sessions.close();
    reading.shutdown();
    try {
      boolean ended = copying.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
      if (ended && reading.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        allocator.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
