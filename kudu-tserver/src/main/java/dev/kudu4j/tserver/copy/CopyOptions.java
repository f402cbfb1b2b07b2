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
              "Time without requests after which a tablet copy session of this server as the"
                  + " source ends and releases the files and log that it retains.");

  static final Option<Long> BYTES_PER_SECOND =
      Option.int64("tablet_copy_throttler_bytes_per_sec")
          .defaultValue(0L)
          .unit("bytes/s")
          .min(0)
          .tags(Tag.EXPERIMENTAL, Tag.RUNTIME)
          .describe(
              "Maximum rate at which this server sends tablet copy data, over all sessions. 0"
                  + " for no limit.");

  static final Option<Integer> CHUNK_BYTES =
      Option.int32("tablet_copy_transfer_chunk_size_bytes")
          .defaultValue(1 << 20)
          .unit("bytes")
          .min(4 << 10)
          .max(4 << 20)
          .tags(Tag.ADVANCED)
          .describe("Maximum number of bytes of a data file in one tablet copy response.");

  static final Option<Integer> SIMULTANEOUS =
      Option.int32("num_tablets_to_copy_simultaneously")
          .defaultValue(10)
          .unit("tablets")
          .min(1)
          .max(100)
          .tags(Tag.ADVANCED)
          .describe(
              "Maximum number of tablets that are copied to this server at the same time."
                  + " Further copies are rejected with a retriable error.");

  static final Option<Integer> CHUNKS_UNDER_WAY =
      Option.int32("tablet_copy_download_threads_nums_per_session")
          .defaultValue(4)
          .unit("chunks")
          .min(1)
          .max(64)
          .tags(Tag.ADVANCED)
          .describe("Maximum number of outstanding chunk requests of one tablet copy.");

  private CopyOptions() {}

  public static OptionSet addTo(OptionSet options) {
    return options.with(
        IDLE_TIMEOUT, BYTES_PER_SECOND, CHUNK_BYTES, SIMULTANEOUS, CHUNKS_UNDER_WAY);
  }
}
