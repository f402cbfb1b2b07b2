package dev.kudu4j.itest;

import dev.kudu4j.itest.suite.ReplicationSpeedCases;

/** Tables of three replicas are fast enough, seen by our client. */
class ReplicationSpeedWithOurClientIT extends ReplicationSpeedCases {}
