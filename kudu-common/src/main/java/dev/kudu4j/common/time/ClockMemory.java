package dev.kudu4j.common.time;

/** Persists an upper bound of the timestamps of a {@link HybridClock} across restarts. */
public interface ClockMemory {
  /** For clocks that need no guarantee across restarts. */
  ClockMemory NONE =
      new ClockMemory() {
        @Override
        public long ceiling() {
          return 0;
        }

        @Override
        public void keep(long ceiling) {}
      };

  /** No clock with this memory has returned a later timestamp; 0 if there was no clock. */
  long ceiling();

  /** Raises the ceiling. Returns after it is persisted; called by one thread at a time. */
  void keep(long ceiling);
}
