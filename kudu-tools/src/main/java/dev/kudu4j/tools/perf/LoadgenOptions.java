package dev.kudu4j.tools.perf;

import dev.kudu4j.common.status.KuduException;
import java.util.List;
import picocli.CommandLine.Option;

/** What {@code loadgen} writes, and how. Names and defaults are those of Apache Kudu's tool. */
final class LoadgenOptions {
  @Option(
      names = "--num_threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Threads that generate rows, each with a session; default ${DEFAULT-VALUE}.")
  int threads;

  @Option(
      names = "--num_rows_per_thread",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Rows that each thread writes; -1 to go on until it is killed, and the table stays. Default"
              + " ${DEFAULT-VALUE}.")
  long rowsPerThread;

  @Option(
      names = "--use_upsert",
      description = "Upserts rows instead of inserting them, so that no key is there already.")
  boolean upsert;

  @Option(
      names = "--use_random",
      description =
          "Random numbers for all columns, not a sequence; some keys may come twice. Has no effect"
              + " beside the next two.")
  private boolean random;

  @Option(names = "--use_random_pk", description = "Random numbers for key columns only.")
  private boolean randomKeys;

  @Option(names = "--use_random_non_pk", description = "Random numbers for the other columns only.")
  private boolean randomValues;

  @Option(
      names = "--seq_start",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "The first number of the sequence; default ${DEFAULT-VALUE}. For the next run on the same table"
            + " add threads times rows per thread times key columns."
      })
  long sequenceStart;

  @Option(
      names = "--string_fixed",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "The value of all text and binary columns; default: generated texts.")
  String fixedText;

  @Option(
      names = "--string_len",
      paramLabel = "N",
      defaultValue = "32",
      description = "Characters of a generated text; default ${DEFAULT-VALUE}.")
  int textLength;

  @Option(
      names = "--buffer_size_bytes",
      paramLabel = "BYTES",
      defaultValue = "4194304",
      description = "Bytes of rows that a session holds; default ${DEFAULT-VALUE}.")
  private int bufferBytes;

  @Option(
      names = "--buffer_flush_watermark_pct",
      paramLabel = "SHARE",
      defaultValue = "0.5",
      description =
          "Share of the buffer, from 0 to 1, at which it is sent; default ${DEFAULT-VALUE}.")
  private double watermark;

  @Option(
      names = "--flush_per_n_rows",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Flushes after each N rows and waits for the answers; default: in the background, by"
              + " bytes.")
  int flushRows;

  @Option(
      names = "--show_first_n_errors",
      paramLabel = "N",
      defaultValue = "0",
      description = "How many errors of rows each thread shows; default ${DEFAULT-VALUE}.")
  int shownErrors;

  @Option(
      names = {"--buffers_num", "--error_buffer_size_bytes", "--use_client_per_thread"},
      paramLabel = "VALUE",
      arity = "0..1",
      fallbackValue = "",
      description =
          "Known to Apache Kudu's tool, without effect here: a session has two buffers and counts all"
              + " errors, and sessions share a client.")
  private List<String> withoutEffect;

  /**
   * @throws KuduException INVALID_ARGUMENT that names the option
   */
  void check() {
    demand(threads > 0, "--num_threads", threads, "must be above 0");
    demand(
        rowsPerThread >= -1,
        "--num_rows_per_thread",
        rowsPerThread,
        "must be at least 0, or -1 for no end");
    demand(textLength > 0, "--string_len", textLength, "must be above 0");
    demand(bufferBytes > 0, "--buffer_size_bytes", bufferBytes, "must be above 0");
    demand(
        watermark > 0 && watermark <= 1,
        "--buffer_flush_watermark_pct",
        watermark,
        "must be above 0 and at most 1");
    demand(flushRows >= 0, "--flush_per_n_rows", flushRows, "must not be below 0");
    demand(shownErrors >= 0, "--show_first_n_errors", shownErrors, "must not be below 0");
  }

  static void demand(boolean holds, String option, Object value, String rule) {
    if (!holds) {
      throw KuduException.invalidArgument("%s=%s: it %s", option, value, rule);
    }
  }

  boolean hasEnd() {
    return rowsPerThread >= 0;
  }

  /** Bytes at which a session sends what it has. */
  long flushBytes() {
    return Math.max(1, (long) (bufferBytes * watermark));
  }

  boolean randomKeys() {
    return randomKeys || (random && !randomValues);
  }

  boolean randomValues() {
    return randomValues || (random && !randomKeys);
  }

  /** How many numbers of the sequence a thread has for keys, so that no two make the same ones. */
  long span(int keyColumns) {
    long largest = Long.MAX_VALUE / threads;
    return hasEnd() && rowsPerThread <= largest / keyColumns ? rowsPerThread * keyColumns : largest;
  }
}
