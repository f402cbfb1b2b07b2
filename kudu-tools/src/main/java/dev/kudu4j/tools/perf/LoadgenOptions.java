package dev.kudu4j.tools.perf;

import dev.kudu4j.common.status.KuduException;
import java.util.List;
import picocli.CommandLine.Option;

/** The rows that {@code loadgen} writes. Names and defaults are those of Apache Kudu's tool. */
final class LoadgenOptions {
  @Option(
      names = "--num_threads",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Number of threads that generate rows, each with its own session; default"
              + " ${DEFAULT-VALUE}.")
  int threads;

  @Option(
      names = "--num_rows_per_thread",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Number of rows that each thread writes; -1 to write until the process is"
              + " killed and keep the table. Default ${DEFAULT-VALUE}.")
  long rowsPerThread;

  @Option(
      names = "--use_upsert",
      description = "Upserts rows instead of inserting them, so existing keys are no errors.")
  boolean upsert;

  @Option(
      names = "--use_random",
      description =
          "Uses random numbers for all columns instead of a sequence; keys may repeat."
              + " Has no effect with --use_random_pk or --use_random_non_pk.")
  private boolean random;

  @Option(names = "--use_random_pk", description = "Uses random numbers for key columns only.")
  private boolean randomKeys;

  @Option(
      names = "--use_random_non_pk",
      description = "Uses random numbers for non-key columns only.")
  private boolean randomValues;

  @Option(
      names = "--seq_start",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "The first number of the sequence; default ${DEFAULT-VALUE}. For the next run"
            + " on the same table, add threads times rows per thread times key columns."
      })
  long sequenceStart;

  @Option(
      names = "--string_fixed",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "The value of all text and binary columns; default: generated text.")
  String fixedText;

  @Option(
      names = "--string_len",
      paramLabel = "N",
      defaultValue = "32",
      description = "Number of characters of a generated text; default ${DEFAULT-VALUE}.")
  int textLength;

  @Option(
      names = "--buffer_size_bytes",
      paramLabel = "BYTES",
      defaultValue = "4194304",
      description = "Size of a session's buffer of rows; default ${DEFAULT-VALUE}.")
  private int bufferBytes;

  @Option(
      names = "--buffer_flush_watermark_pct",
      paramLabel = "SHARE",
      defaultValue = "0.5",
      description =
          "Fraction of the buffer, from 0 to 1, at which it is flushed; default"
              + " ${DEFAULT-VALUE}.")
  private double watermark;

  @Option(
      names = "--flush_per_n_rows",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Flushes after every N rows and waits for the response; default: flushes in"
              + " the background, by bytes.")
  int flushRows;

  @Option(
      names = "--show_first_n_errors",
      paramLabel = "N",
      defaultValue = "0",
      description = "Number of row errors that each thread prints; default ${DEFAULT-VALUE}.")
  int shownErrors;

  @Option(
      names = {"--buffers_num", "--error_buffer_size_bytes", "--use_client_per_thread"},
      paramLabel = "VALUE",
      arity = "0..1",
      fallbackValue = "",
      description =
          "Accepted for compatibility with Apache Kudu's tool: a session has two"
              + " buffers and counts all errors, and sessions share a client.")
  @SuppressWarnings("UnusedVariable")
  private List<String> withoutEffect;

  /**
   * @throws KuduException INVALID_ARGUMENT with the name of the option
   */
  void check() {
    demand(threads > 0, "--num_threads", threads, "must be positive");
    demand(
        rowsPerThread >= -1,
        "--num_rows_per_thread",
        rowsPerThread,
        "must be at least 0, or -1 for no limit");
    demand(textLength > 0, "--string_len", textLength, "must be positive");
    demand(bufferBytes > 0, "--buffer_size_bytes", bufferBytes, "must be positive");
    demand(
        watermark > 0 && watermark <= 1,
        "--buffer_flush_watermark_pct",
        watermark,
        "must be positive and at most 1");
    demand(flushRows >= 0, "--flush_per_n_rows", flushRows, "must not be negative");
    demand(shownErrors >= 0, "--show_first_n_errors", shownErrors, "must not be negative");
  }

  static void demand(boolean holds, String option, Object value, String rule) {
    if (!holds) {
      throw KuduException.invalidArgument("%s=%s: %s", option, value, rule);
    }
  }

  boolean hasEnd() {
    return rowsPerThread >= 0;
  }

  /** Number of bytes at which a session flushes. */
  long flushBytes() {
    return Math.max(1, (long) (bufferBytes * watermark));
  }

  boolean randomKeys() {
    return randomKeys || (random && !randomValues);
  }

  boolean randomValues() {
    return randomValues || (random && !randomKeys);
  }

  /**
   * The number of key values reserved for each thread, so that the threads' keys do not overlap.
   */
  long span(int keyColumns) {
    long largest = Long.MAX_VALUE / threads;
    return hasEnd() && rowsPerThread <= largest / keyColumns ? rowsPerThread * keyColumns : largest;
  }
}
