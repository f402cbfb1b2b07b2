package dev.kudu4j.itest;

import dev.kudu4j.itest.suite.FaultCases;

/** Servers are killed under load, with our client. */
class ServersKilledWithOurClientIT extends FaultCases {}
