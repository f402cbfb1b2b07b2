package dev.kudu4j.benchmarks.mixed;

import dev.kudu4j.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * Decides whether a server was stable. Values that must not grow are compared between two parts of
 * the run, {@code before} and {@code after}; the first fifth is warm-up and belongs to neither
 * part.
 *
 * <pre>
 *   0 ---- 20 % --------- 60 % --------- 100 %
 *     left     before           after
 *     out
 * </pre>
 */
final class Verdicts {
  static final double MAX_MEMORY_GROWTH = 1.15;
  static final double MAX_LATENCY_GROWTH = 1.5;
  static final double MAX_HEIGHT = 6;
  static final double MAX_DELTA_FILES_OF_ROWSET = 12;

  private static final double WARM = 0.2;
  private static final double MIDDLE = 0.6;

  /**
   * A question and its answer.
   *
   * @param depends whether the answer depends on the load of the machine; if so, tests ignore it
   */
  record Verdict(String question, String figure, boolean isYes, boolean depends) {}

  private final List<Second> seconds;
  private final long limitBytes;

  Verdicts(List<Second> seconds, long limitBytes) {
    this.seconds = seconds;
    this.limitBytes = limitBytes;
  }

  List<Verdict> all() {
    List<Verdict> all = new ArrayList<>();
    double used = max(seconds, Second::usedBytes);
    all.add(
        new Verdict(
            "memory within the limit",
            megabytes(used) + " of " + megabytes(limitBytes),
            used <= limitBytes,
            false));
    all.add(growth("memory flat", "MB", s -> s.residentBytes() / 1e6, MAX_MEMORY_GROWTH));
    double full = last().fullCollections();
    all.add(new Verdict("no full collection", Table.number(full), full == 0, false));
    all.add(latency("p99 of look-ups flat", Second::lookUpNanos));
    all.add(latency("p99 of scans flat", Second::scanNanos));
    all.add(bound("rowset height bounded", Second::height, MAX_HEIGHT));
    all.add(
        bound(
            "delta files of a rowset bounded",
            Second::deltaFilesPerRowSet,
            MAX_DELTA_FILES_OF_ROWSET));
    return all;
  }

  private Second last() {
    return seconds.get(seconds.size() - 1);
  }

  List<Second> before() {
    return part(WARM, MIDDLE);
  }

  List<Second> after() {
    return part(MIDDLE, 1);
  }

  private List<Second> part(double from, double to) {
    int count = seconds.size();
    return seconds.subList((int) (from * count), (int) (to * count));
  }

  private Verdict growth(
      String question, String unit, ToDoubleFunction<Second> value, double maxGrowth) {
    double before = max(before(), value);
    double after = max(after(), value);
    return new Verdict(
        question,
        Table.number(before) + " " + unit + ", then " + Table.number(after) + " " + unit,
        after <= before * maxGrowth,
        true);
  }

  private Verdict latency(String question, Function<Second, long[]> nanos) {
    double before = percentile(before(), nanos, 99);
    double after = percentile(after(), nanos, 99);
    return new Verdict(
        question,
        Table.number(before) + " ms, then " + Table.number(after) + " ms",
        after <= before * MAX_LATENCY_GROWTH,
        true);
  }

  private Verdict bound(String question, ToDoubleFunction<Second> value, double max) {
    double highest = max(seconds, value);
    return new Verdict(
        question,
        Table.number(highest) + " at most, of " + Table.number(max),
        highest <= max,
        false);
  }

  static double max(List<Second> part, ToDoubleFunction<Second> value) {
    return part.stream().mapToDouble(value).max().orElse(Double.NaN);
  }

  /** The percentile in milliseconds of all calls in a part of the run. */
  static double percentile(List<Second> part, Function<Second, long[]> nanos, double percent) {
    long[] all = part.stream().map(nanos).flatMapToLong(LongStream::of).toArray();
    return Second.percentileMillis(all, percent);
  }

  private static String megabytes(double bytes) {
    return Table.number(bytes / (1 << 20)) + " MiB";
  }
}
