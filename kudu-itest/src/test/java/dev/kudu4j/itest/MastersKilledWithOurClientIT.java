package dev.kudu4j.itest;

import dev.kudu4j.itest.suite.MasterFaultCases;

/** The leading master is killed, seen by our client: it never takes its own work for another's. */
class MastersKilledWithOurClientIT extends MasterFaultCases {
  @Override
  protected boolean knowsRepeats() {
    return true;
  }
}
