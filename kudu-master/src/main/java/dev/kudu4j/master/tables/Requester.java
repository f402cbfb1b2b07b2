package dev.kudu4j.master.tables;

/**
 * The origin of a request to change a table.
 *
 * @param user name of the user, who becomes the owner of a new table if the request names no owner
 * @param description the description for the log: the user and the address of the client
 */
public record Requester(String user, String description) {
  /** The requester of changes that the master makes by itself. */
  static final Requester MASTER = new Requester("", "this master");
}
