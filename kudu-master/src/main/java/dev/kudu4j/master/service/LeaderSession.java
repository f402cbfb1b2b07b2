package dev.kudu4j.master.service;

import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.directory.TabletDirectory;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.tables.Tables;

/**
 * All that a leader knows and does between taking over and losing leadership.
 *
 * @param number rises with each session of this process; a tablet server owes every session a full
 *     report
 */
public record LeaderSession(
    long number,
    Catalog catalog,
    ObservedTablets observed,
    TabletDirectory directory,
    Tables tables)
    implements AutoCloseable {

  @Override
  public void close() {
    tables.close();
  }
}
