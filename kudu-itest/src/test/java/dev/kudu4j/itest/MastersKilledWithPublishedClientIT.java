package dev.kudu4j.itest;

import dev.kudu4j.itest.published.MasterFaultCases;

/**
 * The leading master is killed; Apache Kudu's client reports to its caller when a change that it
 * repeats has been made already.
 */
class MastersKilledWithPublishedClientIT extends MasterFaultCases {
  @Override
  protected boolean knowsRepeats() {
    return false;
  }
}
