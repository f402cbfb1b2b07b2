package dev.kudu4j.benchmarks.mixed;

import dev.kudu4j.benchmarks.report.Samples;
import java.util.stream.LongStream;

/**
 * What was seen in one second of a run. Counters are since the start of the run.
 *
 * @param seconds since the start
 * @param rows of the table
 * @param residentBytes what the operating system has given the server
 * @param usedBytes of the server's limit: heap, data and direct memory
 * @param heapBytes in use, garbage with it
 * @param directBytes buffers of the network and the log
 * @param dataBytes off-heap rows, pages and batches
 * @param pageCacheBytes of them, pages
 * @param pauseMillis of the collector, all together
 * @param pauses of the collector
 * @param fullCollections of the heap
 * @param rowSets of all tablets
 * @param height of the tablet with the highest
 * @param deltaFiles of all tablets
 * @param deltaFilesPerRowSet of the tablet with the most
 * @param diskBytes of the data files
 * @param refusedWrites for want of memory, each tried again by its client
 */
record Second(
    double seconds,
    long rows,
    long residentBytes,
    long usedBytes,
    long heapBytes,
    long directBytes,
    long dataBytes,
    long pageCacheBytes,
    double pauseMillis,
    long pauses,
    long fullCollections,
    long rowSets,
    double height,
    long deltaFiles,
    double deltaFilesPerRowSet,
    long diskBytes,
    long refusedWrites,
    long[] insertNanos,
    long[] updateNanos,
    long[] lookUpNanos,
    long[] scanNanos) {

  long[] writeNanos() {
    return LongStream.concat(LongStream.of(insertNanos), LongStream.of(updateNanos)).toArray();
  }

  /** NaN when there was none. */
  static double percentileMillis(long[] nanos, double percent) {
    return nanos.length == 0 ? Double.NaN : Samples.percentile(nanos, percent) / 1e6;
  }
}
