package dev.kudu4j.tserver.scan;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tserver.error.TabletServerError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An open scanner. One call at a time uses it, between {@link #enter} and {@link #endCall}. Between
 * calls {@link ReadAhead} may read the next batch from it, between {@link #beginNext} and {@link
 * #endNext}; the call that enters then takes that batch and does not read. {@link #close} does not
 * wait: if a call is using the scanner, {@link #endCall} closes it at the end of the call.
 */
final class OpenScanner implements AutoCloseable {
  private final ScanTrace trace;
  private final TabletScanner scanner;
  private final Schema projection;
  private final long rowFormatFlags;
  private final boolean wantsReport;
  private final List<IndexDefinition> indexes;
  private int expectedSequence = 1;
  private boolean busy;
  private boolean readingAhead;
  private @Nullable NextBatch next;
  private boolean closing;
  private boolean closed;
  private volatile long lastUsedNanos;

  /**
   * @param trace describes the scan
   * @param wantsReport whether the last reply has a report of the scan
   * @param indexes those of the tablet
   */
  OpenScanner(
      ScanTrace trace,
      TabletScanner scanner,
      Schema projection,
      long rowFormatFlags,
      boolean wantsReport,
      List<IndexDefinition> indexes,
      long nowNanos) {
    this.trace = trace;
    this.scanner = scanner;
    this.projection = projection;
    this.rowFormatFlags = rowFormatFlags;
    this.wantsReport = wantsReport;
    this.indexes = List.copyOf(indexes);
    this.lastUsedNanos = nowNanos;
    trace.begin();
  }

  ScanTrace trace() {
    return trace;
  }

  String id() {
    return trace.id();
  }

  String owner() {
    return trace.caller().user();
  }

  String tabletId() {
    return trace.tabletId();
  }

  TabletScanner scanner() {
    return scanner;
  }

  Schema projection() {
    return projection;
  }

  long rowFormatFlags() {
    return rowFormatFlags;
  }

  boolean wantsReport() {
    return wantsReport;
  }

  /** The indexes that the tablet had when the scan was opened. */
  List<IndexDefinition> indexes() {
    return indexes;
  }

  long lastUsedNanos() {
    return lastUsedNanos;
  }

  void touch(long nowNanos) {
    lastUsedNanos = nowNanos;
  }

  /**
   * Reserves the scanner for the call with the sequence number.
   *
   * @throws TabletServerError INVALID_SCAN_CALL_SEQ_ID if {@code sequence} is not the expected
   *     number, or if another call is using the scanner; the caller then closes the scanner
   * @return the batch that the call must take instead of reading from the scanner; null if there is
   *     none
   */
  synchronized @Nullable NextBatch enter(int sequence) {
    if (closing) {
      throw expired(id());
    }
    if (busy || sequence != expectedSequence) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.INVALID_SCAN_CALL_SEQ_ID,
          StatusCode.INVALID_ARGUMENT,
          "Invalid call sequence ID in scan request: expected "
              + expectedSequence
              + ", got "
              + sequence);
    }
    busy = true;
    NextBatch taken = next;
    next = null;
    return taken == null || !taken.started ? null : taken;
  }

  /** Whether the next batch is prepared, so a call need neither read nor wait. */
  synchronized boolean isNextReady() {
    return next != null
        && next.batch.isDone()
        && !next.batch.isCompletedExceptionally()
        && next.batch.join() != null;
  }

  /** Sets the batch that will be prepared next; false if there is one, or the scanner closes. */
  synchronized boolean announce(NextBatch batch) {
    if (closing || (next != null && next.started)) {
      return false;
    }
    next = batch;
    return true;
  }

  /**
   * Reserves the scanner for preparing the batch; false if a call has entered first, or the scanner
   * closes.
   */
  synchronized boolean beginNext(NextBatch batch) {
    if (next != batch || closing || busy) {
      return false;
    }
    readingAhead = true;
    batch.started = true;
    return true;
  }

  /** Ends the reservation of {@link #beginNext}. */
  synchronized void endNext() {
    readingAhead = false;
    releaseIfUnused();
  }

  /** Reserves the scanner for the call that opens it. No other call knows the scanner's id yet. */
  synchronized void enterFirst() {
    busy = true;
  }

  /**
   * Releases the scanner after a call. The expected sequence number increases only if the call
   * succeeded and is not {@code first}, the call that opened the scanner.
   */
  synchronized void endCall(boolean succeeded, boolean first) {
    busy = false;
    if (succeeded && !first) {
      expectedSequence++;
    }
    releaseIfUnused();
  }

  @Override
  public synchronized void close() {
    closing = true;
    releaseIfUnused();
  }

  /** Closes a scanner whose first call runs again from the start; no other call knows it. */
  void abandon() {
    trace.abandon();
    scanner.close();
  }

  private void releaseIfUnused() {
    if (!closing || busy || readingAhead || closed) {
      return;
    }
    closed = true;
    scanner.close();
    if (next != null) {
      next.discard();
    }
  }

  static TabletServerError expired(String id) {
    return new TabletServerError(
        TabletServerErrorPB.Code.SCANNER_EXPIRED,
        StatusCode.NOT_FOUND,
        "Scanner " + id + " not found (it may have expired)");
  }
}
