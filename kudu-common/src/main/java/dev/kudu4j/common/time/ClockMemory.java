package dev.kudu4j.common.time;

/** Persists an upper bound of the timestamps of a {@link HybridClock} across restarts. */
public interface ClockMemory {
  /** A memory for clocks that need no guarantee across restarts. */
  ClockMemory NONE =
      new ClockMemory() {
        @Override
        public long ceiling() {
          return 0;
        }

        @Override
        public void store(long ceiling) {}
      };

  /**
   * The persisted upper bound: no clock with this memory has returned a later timestamp. 0 if this
   * memory was never used.
   */
  long ceiling();

  /**
   * Raises the ceiling. Returns when the new value is persisted. Called by one thread at a time.
   */
  void store(long ceiling);
}
