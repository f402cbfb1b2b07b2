package dev.kudu4j.itest;

import dev.kudu4j.itest.published.ReplicationSpeedCases;
import org.junit.jupiter.api.Tag;

/** Speed of tables with three replicas, with the published client. */
@Tag("nightly")
class ReplicationSpeedWithPublishedClientIT extends ReplicationSpeedCases {}
