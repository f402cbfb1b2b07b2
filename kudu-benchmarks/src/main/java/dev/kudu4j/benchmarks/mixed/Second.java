package dev.kudu4j.benchmarks.mixed;

import dev.kudu4j.benchmarks.report.Samples;
import java.util.stream.LongStream;

/**
 * A sample of one second of a run. Counters count from the start of the run.
 *
 * @param seconds time since the start of the run
 * @param rows number of rows in the table
 * @param residentBytes resident memory of the server
 * @param usedBytes memory that counts towards the server's limit: heap, data and direct memory
 * @param heapBytes used heap, including garbage
 * @param directBytes direct memory, for the buffers of the network and the log
 * @param dataBytes off-heap memory for rows, pages and batches
 * @param pageCacheBytes the part of {@code dataBytes} in the page cache
 * @param pauseMillis total time of the garbage collector's pauses
 * @param pauses number of the garbage collector's pauses
 * @param fullCollections number of full collections of the heap
 * @param rowSets number of rowsets of all tablets
 * @param height average number of rowsets whose key range contains a random key, maximum over the
 *     tablets
 * @param deltaFiles number of delta files of all tablets
 * @param deltaFilesPerRowSet delta files per rowset, maximum over the tablets
 * @param diskBytes size of the data files
 * @param refusedWrites number of writes that were rejected for lack of memory and retried by the
 *     client
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

  /** The percentile of durations in milliseconds; NaN if there was no call. */
  static double percentileMillis(long[] nanos, double percent) {
    return nanos.length == 0 ? Double.NaN : Samples.percentile(nanos, percent) / 1e6;
  }
}
