package dev.kudu4j.common.time;

/** Where a {@link HybridClock} keeps over restarts how far it has got. */
public interface ClockMemory {
  /** For clocks that nobody relies on after a restart. */
  ClockMemory NONE =
      new ClockMemory() {
        @Override
        public long ceiling() {
          return 0;
        }

        @Override
        public void keep(long ceiling) {}
      };

  /** No clock of this memory has handed out a later timestamp; 0 when there was none. */
  long ceiling();

  /** Raises the ceiling. Returns when it is kept; called by one thread at a time. */
  void keep(long ceiling);
}
