package dev.kudu4j.itest;

import dev.kudu4j.itest.published.FaultCases;
import org.junit.jupiter.api.Tag;

/** Servers are killed under load, with the published client. */
@Tag("nightly")
class ServersKilledWithPublishedClientIT extends FaultCases {}
