package dev.kudu4j.itest;

import dev.kudu4j.itest.suite.MasterFaultCases;

/** The leading master is killed; our client never mistakes its own change for another client's. */
class MastersKilledWithOurClientIT extends MasterFaultCases {
  @Override
  protected boolean knowsRepeats() {
    return true;
  }
}
