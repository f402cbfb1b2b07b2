package dev.kudu4j.itest;

import dev.kudu4j.itest.suite.ReplicationSpeedCases;

/** Speed of tables with three replicas, with our client. */
class ReplicationSpeedWithOurClientIT extends ReplicationSpeedCases {}
