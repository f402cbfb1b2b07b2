package dev.kudu4j.master.service;

import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.directory.TabletDirectory;
import dev.kudu4j.master.directory.TabletStatuses;
import dev.kudu4j.master.tables.Tables;

/**
 * All that a leader knows and does between taking over and losing leadership.
 *
 * @param number rises with each reign of this process; a tablet server owes every reign a full
 *     report
 */
public record Reign(
    long number, Catalog catalog, TabletStatuses statuses, TabletDirectory directory, Tables tables)
    implements AutoCloseable {

  @Override
  public void close() {
    tables.close();
  }
}
