package dev.kudu4j.itest;

import dev.kudu4j.itest.published.MasterFaultCases;
import org.junit.jupiter.api.Tag;

/**
 * The leading master is killed; Apache Kudu's client reports to its caller when a change that it
 * repeats has been made already.
 */
@Tag("nightly")
class MastersKilledWithPublishedClientIT extends MasterFaultCases {
  @Override
  protected boolean knowsRepeats() {
    return false;
  }
}
