package dev.kudu4j.tserver.tablets;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How far the copy of a tablet to this server is, for whoever watches; and how it is stopped.
 * Thread-safe.
 */
public final class CopyProgress {
  private final String sourceUuid;
  private final long startedNanos;
  private final AtomicLong fetchedBytes = new AtomicLong();
  private volatile long reusedBytes;
  private volatile long totalBytes;
  private volatile int totalFiles;
  private volatile int completeFiles;
  private volatile String step = "asking the source";
  private volatile boolean cancelled;

  /**
   * @param sourceUuid server that the files come from
   */
  public CopyProgress(String sourceUuid, long startedNanos) {
    this.sourceUuid = sourceUuid;
    this.startedNanos = startedNanos;
  }

  public String sourceUuid() {
    return sourceUuid;
  }

  public long startedNanos() {
    return startedNanos;
  }

  /**
   * What there is to copy is known, perhaps anew.
   *
   * @param here bytes that are here already
   */
  public void planned(int files, int filesHere, long bytes, long here) {
    totalFiles = files;
    completeFiles = filesHere;
    totalBytes = bytes;
    reusedBytes = here;
    fetchedBytes.set(0);
  }

  public void step(String words) {
    step = words;
  }

  public void fetched(long bytes) {
    fetchedBytes.addAndGet(bytes);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread copies
  public void fileComplete() {
    completeFiles++;
  }

  /** Bytes that are here, of this copy or of an earlier one. */
  public long hereBytes() {
    return reusedBytes + fetchedBytes.get();
  }

  public long totalBytes() {
    return totalBytes;
  }

  /** 0 to 100. */
  public int percent() {
    long total = totalBytes;
    return total == 0 ? 0 : (int) Math.min(100, hereBytes() * 100 / total);
  }

  /** In words, as a tablet's last status. */
  public String text() {
    return "Tablet Copy: %s; %d of %d files, %d %%"
        .formatted(step, completeFiles, totalFiles, percent());
  }

  /** The copy is to stop as soon as it can. */
  public void cancel() {
    cancelled = true;
  }

  public boolean isCancelled() {
    return cancelled;
  }
}
