package dev.kudu4j.itest.hostile;

/**
 * Names for requests: the servers, and objects that may be damaged.
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
  /** Names of no objects, for checks of the seeds themselves. */
  static final Scene EMPTY =
      new Scene("1".repeat(32), "2".repeat(32), 1, "3".repeat(32), "4".repeat(32), "w", "a");
}
