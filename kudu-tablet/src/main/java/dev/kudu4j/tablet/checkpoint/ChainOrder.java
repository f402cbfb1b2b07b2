package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.delta.Mutation;
import java.io.IOException;
import java.util.Arrays;

/** Turns a chain of mutations, newest first, into a delta file's order. Used again and again. */
final class ChainOrder {
  private long[] mutations = new long[16];

  /** Appends a row's chain from the given mutation on, the oldest first. */
  void append(DeltaFileWriter out, long ordinal, long newest) throws IOException {
    int count = 0;
    for (long mutation = newest; mutation != 0; mutation = Mutation.next(mutation)) {
      if (count == mutations.length) {
        mutations = Arrays.copyOf(mutations, 2 * count);
      }
      mutations[count++] = mutation;
    }
    while (count > 0) {
      long mutation = mutations[--count];
      out.append(
          ordinal,
          Mutation.timestamp(mutation),
          Mutation.sequence(mutation),
          Mutation.changeAddress(mutation),
          Mutation.changeLength(mutation));
    }
  }

  /** The newest mutation of the chain that is not above the timestamp, or 0. */
  static long upTo(long newest, long timestamp) {
    long mutation = newest;
    while (mutation != 0 && Mutation.timestamp(mutation) > timestamp) {
      mutation = Mutation.next(mutation);
    }
    return mutation;
  }
}
