package dev.kudu4j.server.raft.tuning;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file whose syncs are deferred: a sync is executed half a second after it was requested, on
 * another thread, and covers all requests made until then. That thread also syncs and closes the
 * file when the channel is closed.
 */
final class LazySyncChannel extends FileChannel {
  private static final Logger LOG = LoggerFactory.getLogger(LazySyncChannel.class);
  private static final int DELAY_MILLIS = 500;

  private final FileChannel file;
  private final ScheduledExecutorService executor;
  private final AtomicBoolean due = new AtomicBoolean();

  LazySyncChannel(FileChannel file, ScheduledExecutorService executor) {
    this.file = file;
    this.executor = executor;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    if (!due.compareAndSet(false, true)) {
      return;
    }
    try {
      executor.schedule(this::sync, DELAY_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) { // the server is closing
      file.force(metaData);
    }
  }

  private void sync() {
    due.set(false);
    try {
      if (file.isOpen()) {
        file.force(false);
      }
    } catch (IOException e) {
      LOG.warn("A log file could not be synced", e);
    }
  }

  @Override
  protected void implCloseChannel() throws IOException {
    try {
      executor.execute(this::syncAndClose);
    } catch (RejectedExecutionException e) {
      syncAndClose();
    }
  }

  private void syncAndClose() {
    sync();
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("A log file could not be closed", e);
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return file.read(target);
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return file.read(targets, offset, length);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return file.read(target, position);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return file.write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return file.write(sources, offset, length);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return file.write(source, position);
  }

  @Override
  public long position() throws IOException {
    return file.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    file.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    file.truncate(size);
    return this;
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return file.transferTo(position, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    return file.transferFrom(source, position, count);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return file.map(mode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return file.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return file.tryLock(position, size, shared);
  }
}
