package dev.kudu4j.master.service;

import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.directory.TabletDirectory;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.tables.Tables;

/**
 * The state and the tasks of a leading master, from winning to losing the leadership of the
 * catalog.
 *
 * @param number rises with each session of this process; each tablet server has to send each
 *     session a full report
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
