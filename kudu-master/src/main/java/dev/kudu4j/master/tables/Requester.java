package dev.kudu4j.master.tables;

/**
 * Who asks for a change of a table.
 *
 * @param user owns a table that names no owner
 * @param description for the log: the user and where the request came from
 */
public record Requester(String user, String description) {
  /** Changes that follow from the catalog itself. */
  static final Requester MASTER = new Requester("", "this master");
}
