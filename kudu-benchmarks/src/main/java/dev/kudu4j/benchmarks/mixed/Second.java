package dev.kudu4j.benchmarks.mixed;

import dev.kudu4j.benchmarks.report.Samples;
import java.util.stream.LongStream;

/**
 * A sample of one second of a run. Counters are since the start of the run.
 *
 * @param seconds since the start
 * @param rows of the table
 * @param residentBytes resident memory of the server
 * @param usedBytes used part of the server's limit: heap, data and direct memory
 * @param heapBytes used heap, including garbage
 * @param directBytes buffers of the network and the log
 * @param dataBytes off-heap rows, pages and batches
 * @param pageCacheBytes the part of the page cache
 * @param pauseMillis total pauses of the collector
 * @param pauses number of pauses of the collector
 * @param fullCollections of the heap
 * @param rowSets of all tablets
 * @param height maximum over the tablets
 * @param deltaFiles of all tablets
 * @param deltaFilesPerRowSet maximum over the tablets
 * @param diskBytes of the data files
 * @param refusedWrites rejected for lack of memory and retried by the client
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

  /** NaN if there was no call. */
  static double percentileMillis(long[] nanos, double percent) {
    return nanos.length == 0 ? Double.NaN : Samples.percentile(nanos, percent) / 1e6;
  }
}
