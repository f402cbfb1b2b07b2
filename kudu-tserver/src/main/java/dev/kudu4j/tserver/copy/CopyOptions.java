package dev.kudu4j.tserver.copy;

import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.flags.OptionSet;
import dev.kudu4j.server.flags.Tag;

/** The flags of tablet copies. */
public final class CopyOptions {
  static final Option<Integer> IDLE_TIMEOUT =
      Option.int32("tablet_copy_idle_timeout_sec")
          .defaultValue(600)
          .unit("s")
          .min(1)
          .tags(Tag.ADVANCED)
          .describe(
              "How long a copy from this server may ask for nothing until its session ends, and the"
                  + " files and the log that it held may go.");

  static final Option<Long> BYTES_PER_SECOND =
      Option.int64("tablet_copy_throttler_bytes_per_sec")
          .defaultValue(0L)
          .unit("bytes/s")
          .min(0)
          .tags(Tag.EXPERIMENTAL, Tag.RUNTIME)
          .describe(
              "How much this server sends in all to servers that copy tablets from it; 0 for as much"
                  + " as they ask for.");

  static final Option<Integer> CHUNK_BYTES =
      Option.int32("tablet_copy_transfer_chunk_size_bytes")
          .defaultValue(1 << 20)
          .unit("bytes")
          .min(4 << 10)
          .max(4 << 20)
          .tags(Tag.ADVANCED)
          .describe("Most bytes of a data file in one answer to a copy.");

  static final Option<Integer> SIMULTANEOUS =
      Option.int32("num_tablets_to_copy_simultaneously")
          .defaultValue(10)
          .unit("tablets")
          .min(1)
          .max(100)
          .tags(Tag.ADVANCED)
          .describe("Most tablets that are copied to this server at a time; others are refused.");

  static final Option<Integer> CHUNKS_UNDER_WAY =
      Option.int32("tablet_copy_download_threads_nums_per_session")
          .defaultValue(4)
          .unit("chunks")
          .min(1)
          .max(64)
          .tags(Tag.ADVANCED)
          .describe("How many chunks of files one copy asks for before the first has come.");

  private CopyOptions() {}

  public static OptionSet addTo(OptionSet options) {
    return options.with(
        IDLE_TIMEOUT, BYTES_PER_SECOND, CHUNK_BYTES, SIMULTANEOUS, CHUNKS_UNDER_WAY);
  }
}
