package dev.kudu4j.itest.hostile;

/**
 * What a request may name: who the servers are, and objects that may come to harm.
 *
 * @param tabletServer uuid of a server that exists
 * @param read tablet that requests read, write, flush and copy
 * @param shaken tablet whose group requests change
 * @param written name of the table of {@code read}
 * @param altered name of a table that requests alter
 */
record Scene(
    String master,
    String tabletServer,
    long tabletServerInstance,
    String read,
    String shaken,
    String written,
    String altered) {
  /** Names of no objects, for looking at the seeds themselves. */
  static final Scene EMPTY =
      new Scene("1".repeat(32), "2".repeat(32), 1, "3".repeat(32), "4".repeat(32), "w", "a");
}
