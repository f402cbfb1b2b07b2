package dev.kudu4j.tserver.tablets;

import java.util.concurrent.atomic.AtomicLong;

/** The progress of the copy of a tablet to this server, and its cancellation. Thread-safe. */
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
   * @param sourceUuid the server from which the files are copied
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
   * Sets the files and bytes to copy; called again if the copy continues with another session.
   *
   * @param here bytes that are already on this server
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

  /** The bytes that are on this server, whether this copy or an earlier one has fetched them. */
  public long localBytes() {
    return reusedBytes + fetchedBytes.get();
  }

  public long totalBytes() {
    return totalBytes;
  }

  /** The bytes on this server in percent of the total, 0 to 100. */
  public int percent() {
    long total = totalBytes;
    return total == 0 ? 0 : (int) Math.min(100, localBytes() * 100 / total);
  }

  /** The progress as text, for the tablet's last status. */
  public String text() {
    return "Tablet Copy: %s; %d of %d files, %d %%"
        .formatted(step, completeFiles, totalFiles, percent());
  }

  /** Requests that the copy stops as soon as possible. */
  public void cancel() {
    cancelled = true;
  }

  public boolean isCancelled() {
    return cancelled;
  }
}
